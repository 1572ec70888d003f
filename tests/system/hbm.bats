#!/usr/bin/env bats
# High-bandwidth memory beside DDR, as on a Xeon Max in flat mode: NUMA nodes without cores, counted by boxes of their own.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

domains=$build/tests/programs/domains
read=32768 # lines that it reads: 512 pages
own=100 # lines that LIKWID and the program's start may move besides

setup() {
    local version
    likwid_is 5.5.0 || skip "LIKWID $version does not program boxes of high-bandwidth memory, 5.5 does"
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$root/tests/nodes/xeon_max.lua" .
}

# counted NODE EVENT COMMAND...: the event's counts on core 0 in the region, as "COUNTER COUNT" lines, in the file counts
counted() {
    local node=$1 event=$2
    shift 2
    "$assay" vnode --node "$node" -- "$@" 2>stderr >output || { cat output stderr; return 1; }
    awk -F'|' -v event="$event" '{ gsub(" ", "") } $2 == event { print $3, $4 }' output >counts
    cat counts
}

# sum BOX: of all counts in its boxes
sum() { awk -v box="^$1[0-9]" '$1 ~ box { sum += $2 } END { print sum + 0 }' counts; }

# metric NAME: its value
metric() { awk -F'|' -v name="$1" '{ gsub(/^ +| +$/, "", $2) } $2 == name { gsub(/ /, "", $3); print $3 }' output; }

# gigabytes LINES: their volume as LIKWID writes it
gigabytes() { awk -v lines="$1" 'BEGIN { printf "%.4f\n", lines * 64 / 1e9 }'; }

measured=(likwid-perfctr -C 0 -m -g DDR_HBM "$domains")

# bats test_tags=elsewhere
@test "pages bound to memory 2 are read in its 16 channels, 2048 lines in each, and no others" {
    counted ./xeon_max.lua CAS_COUNT_RD "${measured[@]}" mbind2
    for box in {0..15}; do grep -qx "HBM${box}C0 $((read / 16))" counts; done
    [ "$(sum MBOX)" -le $own ]
    counted ./xeon_max.lua CAS_COUNT_RD "${measured[@]}" inherited
    for box in {0..15}; do grep -qx "HBM${box}C0 0" counts; done
    for box in {0..7}; do awk -v box="MBOX${box}C0" -v lines=$((read / 8)) '$1 == box { exit !($2 >= lines && $2 <= lines + 16) }' counts; done
}

# bats test_tags=elsewhere
@test "LIKWID's groups HBM and DDR_HBM show the lines of each memory; of 32 channels, as a Xeon Max has, they show half" {
    counted ./xeon_max.lua CAS_COUNT_RD likwid-perfctr -C 0 -m -g HBM "$domains" mbind2
    [ "$(metric "HBM read data volume [GBytes]")" = "$(gigabytes $read)" ]
    sed -i 's/hbm_channels = 16/hbm_channels = 32/' xeon_max.lua
    counted ./xeon_max.lua CAS_COUNT_RD "${measured[@]}" mbind2
    for box in {0..15}; do grep -qx "HBM${box}C0 $((read / 32))" counts; done
    [ "$(metric "HBM read data volume [GBytes]")" = "$(gigabytes $((read / 2)))" ]
}

# bats test_tags=elsewhere
@test "a Xeon Max's memories: no CPUs, distances, and policies that prefer the nearest one" {
    needs numactl numactl
    run -0 --separate-stderr "$assay" vnode --node ./xeon_max.lua -- numactl -H
    grep -qx "node 2 cpus:" <<<"$output"
    [[ "$output" =~ 2:\ +13\ +23\ +10\ +23 ]]
    # core 2 is in socket 1, whose second memory is 3
    counted ./xeon_max.lua CAS_COUNT_RD numactl --membind=2,3 likwid-perfctr -C 2 -m -g HBM "$domains" inherited
    [ "$(sum HBM)" -ge $read ]
    [ "$(sum HBM)" -le $((read + own)) ]
    run -0 --separate-stderr "$assay" vnode --node SPR-2x2 -- numactl -H
    grep -qx "available: 2 nodes (0-1)" <<<"$output"
}

# bats test_tags=elsewhere
@test "a node without high-bandwidth memory has no such boxes" {
    counted SPR-1x2 CAS_COUNT_RD likwid-perfctr -C 0 -g CAS_COUNT_RD:HBM0C0,CAS_COUNT_RD:MBOX0C0 true
    grep -qx "HBM0C0 -" counts
    grep -q "^MBOX0C0 [0-9]" counts
}

# bats test_tags=elsewhere,long
@test "page_placement validates the volume of either memory; where LIKWID lacks half of the channels, it finds half" {
    validated() {
        run --separate-stderr "$assay" validate page_placement --quick --only in_hbm --node virtual:./xeon_max.lua --out r.json
        echo "$output" "$stderr"
        lua5.4 "$root/tests/system/query.lua" r.json "
            local m = one { code = 'in_hbm', metric = 'HBM read volume' }
            check(m.verdict == '$1' and math.abs(m.measured.mean / m.expected.mean - $2) < 0.005, m.verdict)
            check(one { code = 'in_hbm', metric = 'iMC read volume' }.class == 'exact', 'DDR')"
    }
    validated validated 1
    sed -i 's/hbm_channels = 16/hbm_channels = 32/' xeon_max.lua
    validated correctable 0.5
}
