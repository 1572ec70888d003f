#!/usr/bin/env bats
# Injected faults as a user sees them: LIKWID's output, verdicts, refused fault files.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# The count that likwid-perfctr prints for an event on a counter.
count() { # output event counter
    echo "$1" | awk -F'|' -v e="$2" -v c="$3" '$2 ~ "^ *"e" *$" && $3 ~ "^ *"c" *$" { gsub(/ /, "", $4); print $4; exit }'
}

# likwid-perfctr with one fault, or without any if it is empty.
perfctr() { # group fault
    echo "$2" >faults.txt
    run -0 "$assay" vnode --fault faults.txt -- likwid-perfctr -C 0 -g "$1" -m likwid-bench -t copy_avx -w S0:100kB:1 -i 50
}

@test "scale: LIKWID shows the scaled count, and nothing else changes" {
    perfctr L2 ""
    loads=$(count "$output" L1D_REPLACEMENT PMC0)
    evicts=$(count "$output" L2_TRANS_L1D_WB PMC1)
    [ "$loads" -gt 10000 ]
    perfctr L2 "L1D_REPLACEMENT scale 0.5"
    twice=$((2 * $(count "$output" L1D_REPLACEMENT PMC0)))
    [ "$twice" -ge $((loads - 2)) ]
    [ "$twice" -le $((loads + 2)) ]
    [ "$(count "$output" L2_TRANS_L1D_WB PMC1)" -eq "$evicts" ]
}

# bats test_tags=long
@test "add: once per region, or once per counting interval if the whole program is measured" {
    perfctr L2 ""
    loads=$(count "$output" L1D_REPLACEMENT PMC0)
    perfctr L2 "PMC0 add 1000"
    [ "$(count "$output" L1D_REPLACEMENT PMC0)" -eq $((loads + 1000)) ]
    echo "PMC0 add 1000000000" >faults.txt
    run "$assay" vnode --fault faults.txt -- likwid-perfctr -C 0 -g L2 "$build/tests/programs/passes" 10 10
    # likwid-perfctr reads its counters once more, when the program ends while it sleeps: one counting interval, or two.
    added=$(count "$output" L1D_REPLACEMENT PMC0)
    echo "$added"
    [ $((added / 1000000000)) -eq 1 ] || [ $((added / 1000000000)) -eq 2 ]
    [ $((added % 1000000000)) -lt 1000000 ]
}

@test "deny and nodevice: a dash, as on a node that refuses" {
    perfctr L2 "PMC1 deny"
    [ "$(count "$output" L2_TRANS_L1D_WB PMC1)" = "-" ]
    [ "$(count "$output" L1D_REPLACEMENT PMC0)" -gt 10000 ]
    perfctr MEM "MBOX3 nodevice"
    [ "$(count "$output" CAS_COUNT_RD MBOX3C0)" = "-" ]
    [ "$(count "$output" CAS_COUNT_RD MBOX2C0)" != "-" ]
}

@test "bad fault files: one line with file and line, status 2, nothing runs" {
    printf '# one\nNO_SUCH_EVENT scale 2\n' >f
    fails_with 2 "f:2: 'NO_SUCH_EVENT' is no event" "$assay" validate --node virtual --fault f --out r.json
    [ ! -e r.json ]
    fails_with 2 "f:2: 'NO_SUCH_EVENT' is no event" "$assay" vnode --fault f -- touch ran
    [ ! -e ran ]
    printf 'PMC0 scale\n' >f
    fails_with 2 "f:1: scale takes 1 values" "$assay" vnode --fault f -- true
    fails_with 2 "none: cannot read" "$assay" vnode --fault none -- true
    fails_with 2 "--fault: a value is missing" "$assay" validate --fault
}

@test "a plan restricted by codes, level and placement; an empty plan is an error. The record holds the faults, the verdict names factor and class" {
    printf '# less\n\n  L1D_REPLACEMENT   scale 0.6 # two of five lost\n' >f
    run -0 "$assay" validate bandwidth_saturation --node virtual --only load --level L2 --fault f --out r.json --all
    grep -A1 '"faults"' r.json | grep -q '"L1D_REPLACEMENT scale 0.6"'
    echo "$output" | grep -E "^load .* multiplicative +correctable"
    [[ "$output" == *"measured = 0.6 * expected"* ]]
    [ "$(jq -c '[.metrics[] | .code] | unique' r.json)" = '["load"]' ]
    [ "$(jq -c '[.metrics[] | .level] | unique' r.json)" = '["L2"]' ]
    fails_with 2 "nonesuch: no code" "$assay" validate bandwidth_saturation --node virtual --only nonesuch
    fails_with 2 "nothing is left" "$assay" validate bandwidth_saturation --node virtual --only load --placement S7:1
}

# bats test_tags=long
@test "another fault file is another campaign" {
    echo "PMC0 scale 2" >f
    "$assay" validate bandwidth_saturation --node virtual --only load --level L2,L3 --jobs 1 --fault f --out r.json & pid=$!
    until [ -e r.json.part ]; do sleep 0.1; done
    kill -INT $pid
    status=0; wait $pid || status=$?
    [ "$status" -eq 130 ]
    echo "PMC0 scale 3" >f
    run -2 "$assay" validate bandwidth_saturation --node virtual --only load --level L2,L3 --jobs 1 --fault f --out r.json
    [[ "$output" == *"an interrupted campaign with other options"* ]]
}

# A fault draws its factor for each run. The factor is the reported count over the node's own count, so that it does not matter
# if the program used one line more, which changes the factor by 1e-5.
# bats test_tags=long
@test "random faults: repetitions differ, the same command draws the same factors" {
    echo "L1D_REPLACEMENT jitter 0.2" >f
    for record in a b; do
        run -0 "$assay" validate bandwidth_saturation --node virtual --only load --level L2 --placement S0:1 --reps 2 --fault f --out $record.json
        jq '.. | objects | select(.simulated? and .metric == "L1-L2 load volume" and (.point | endswith("difference") | not))
            | .measured / .simulated' $record.json >$record
    done
    [ "$(wc -l <a)" -ge 8 ]
    [ "$(wc -l <a)" -eq "$(wc -l <b)" ]
    paste a b | awk '{ d = $1 - $2; if (d < -1e-4 || d > 1e-4) exit 1 }'
    [ "$(sed 's/\(\.....\).*/\1/' a | sort -u | wc -l)" -eq "$(wc -l <a)" ]
}

# bats test_tags=long
@test "the detection matrix, one row of it: all found and named, no false alarm" { # tests/full/detection.bats: more, and noisy nodes
    cd "$root"
    run --separate-stderr lua5.4 tests/detection/run.lua --quick --series long_latency
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *" 0 misnamed, 0 missed, "*" 0 false alarms"* ]]
}

# bats test_tags=long
@test "LIKWID's CACHES group leaves four of 18 slices out of what L3 reads, and counts all of them" {
    run -0 "$assay" vnode --node virtual:haswellEP-1x18 -- likwid-perfctr -C 0 -g CACHES -m likwid-bench -t load_avx -w S0:64MB:1 -i 4
    # 64 MB * 4 are read, and the slices take turns.
    read=$(echo "$output" | awk -F'|' 'index($2, "System to L3 data volume") { print $3 * 1e9; exit }')
    counted=$(echo "$output" | awk -F'|' 'index($2, "LLC_LOOKUP_DATA_READ") { bytes += $4 * 64 } END { print bytes }')
    awk -v r="$read" -v c="$counted" 'BEGIN { true = 64e6 * 4; exit !(c / true > 0.99 && c / true < 1.01 &&
        r / c > 0.99 * 14 / 18 && r / c < 1.01 * 14 / 18) }'
}

# bats test_tags=long
@test "LIKWID's CBOX group has two metrics exchanged: reads show as written, modified victims as misses" {
    run -0 "$assay" vnode -- likwid-perfctr -C 0 -g CBOX -m likwid-bench -t load_avx -w S0:64MB:1 -i 4
    metric() { echo "$output" | awk -F'|' -v m="$1" 'index($2, m) { print $3 + 0; exit }'; }
    written=$(metric "LLC data written to MEM") misses=$(metric "LLC misses per instruction")
    instructions=$(count "$output" INSTR_RETIRED_ANY FIXC0)
    # A load writes nothing to memory and misses once a line of 64 bytes; 64 MB * 4 are read.
    awk -v w="$written" -v m="$misses" -v i="$instructions" 'BEGIN { read = 64 * 4; exit !(w / read > 0.99 && w / read < 1.01 &&
        m * i * 64 / 1e6 < read / 10) }'
}
