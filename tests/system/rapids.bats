#!/usr/bin/env bats
# Sapphire, Emerald and Granite Rapids: boxes that LIKWID's access daemon finds in discovery tables; refused where LIKWID does not know
# the processor.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# Skips the test where LIKWID is older than 5.4, which has all slices.
needs_likwid() {
    local version
    likwid_is 5.4.0 || skip "LIKWID $version cannot count on SPR and GNR, 5.4 can"
}

@test "a LIKWID that does not know the processor is refused with the version that does" {
    fake_likwid "exit 1"
    export PATH=$PWD/fake/bin:$PATH
    for known in SPR:5.3 EMR:5.5 GNR:5.4; do
        arch=${known%:*} since=${known#*:}
        for command in "vnode --node $arch-1x2 -- true" "validate --node virtual:$arch-1x2" "list events $arch"; do
            fails_with 2 "$arch-1x2: LIKWID 5.2.2 does not know $arch; install LIKWID $since.0 or later" "$assay" $command
        done
        "$assay" list archs | grep "^$arch  *virtual .*; LIKWID $since or later$"
        "$assay" list nodes | grep "^$arch-1x2 .*; LIKWID $since\.0 or later$"
    done
}

# counted NODE ARGUMENT...: "EVENT SUM" over the boxes of the first core's socket, of likwid-perfctr ARGUMENT...
counted() {
    "$assay" vnode --node "$1" -- likwid-perfctr "${@:2}" 2>/dev/null |
        awk -F'|' 'NF >= 5 && $3 ~ /BOX|UPI/ { gsub(" ", ""); if ($3 ~ /C[0-3]$/) sum[$2] += $4 } END { for (event in sum) print event, sum[event] }'
}

# between EVENT LEAST MOST: its sum in the file counts.
between() { awk -v event="$1" -v least="$2" -v most="$3" '$1 == event { found = $2 >= least && $2 <= most } END { exit !found }' counts; }

# bats test_tags=elsewhere
@test "a copy of two arrays of 10 MB moves its lines through slices and channels" {
    needs_likwid
    local events=LLC_LOOKUP_DATA_RD:CBOX0C0,LLC_LOOKUP_DATA_RD:CBOX1C3
    for box in {0..7}; do events+=,CAS_COUNT_RD:MBOX${box}C0,CAS_COUNT_WR:MBOX${box}C3; done
    counted SPR-1x2 -C 0 -g "$events" -m likwid-bench -t copy -i 4 -W S0:20MB:1 >counts
    cat counts
    # four times 156250 lines to load, to allocate and to write; what is in L2 and L3 at the start (5.75 MiB) may be written, too
    between LLC_LOOKUP_DATA_RD 625000 634000
    between CAS_COUNT_RD 1250000 1269000
    between CAS_COUNT_WR 530000 720000
}

# bats test_tags=elsewhere
@test "lines of the other socket's memory come over the links; LIKWID never programs the last ones" {
    needs_likwid
    local arch links programmed events box
    # four links of Sapphire Rapids, six of Granite Rapids
    while read -r arch links programmed; do
        events=RXL_FLITS_ALL_DATA:UPI0C0
        for ((box = 1; box < links; box++)); do events+=,RXL_FLITS_ALL_DATA:UPI${box}C3; done
        counted $arch-2x1 -c S0:0 -g "$events" likwid-bench -t load -i 8 -w S0:10MB:1-0:S1 >counts
        cat counts
        # eight times 156250 lines, each of nine flits, and up to 2 % more
        local all=$((8 * 156250 * 9))
        between RXL_FLITS_ALL_DATA $((all * programmed / links)) $((all * programmed / links * 102 / 100))
    done <<<"SPR 4 3
GNR 6 4"
}

# bats test_tags=elsewhere
@test "LIKWID's group MEM_SP sums a third of Granite Rapids' lines; a channel's halves move as many" {
    needs_likwid
    "$assay" vnode --node GNR-1x2 -- likwid-perfctr -C 0 -g MEM_SP -m likwid-bench -t copy -i 4 -W S0:20MB:1 2>/dev/null |
        awk -F'|' '{ gsub(/^ +| +$/, "", $2); gsub(" ", "", $4) }
            $2 ~ /^CAS_COUNT_SCH[01]/ { lines[substr($2, 11, 4)] += $4 }
            $2 ~ /^Memory .*volume/ { print substr($2, 8, 4), 0 + $3 }
            END { for (half in lines) print half, lines[half] }' >counts
    cat counts
    between SCH0 1 1e9
    local other=$(awk '$1 == "SCH0" { print $2 }' counts)
    between SCH1 $((other * 999 / 1000)) $((other * 1001 / 1000))
    # read, written, and what LIKWID calls their sum: 8 of 12 channels, and one half of each
    awk '{ volume[$1] = $2 } END { part = volume["data"] / (volume["read"] + volume["writ"]); exit !(part > 0.32 && part < 0.34) }' counts
}

# bats test_tags=elsewhere
@test "no event of the groups has a code that differs from Intel's, but others of LIKWID's list have" {
    needs_likwid
    local arch known
    while read -r arch known; do
        "$assay" list events $arch >list
        awk '/ differs: /{ print $1 }' list | sort >differ
        grep "^$known .* differs: counts another event$" list
        awk '/^EVENTSET/ { in_set = 1; next } NF != 2 { in_set = 0 } in_set { print $2 }' "$build"/groups/$arch/*.txt | sort -u >used
        [ -s used ]
        [ -z "$(comm -12 differ used)" ]
    done <<<"SPR TOR_OCCUPANCY_IA_MISS_DRD
GNR ARITH_DIV_ACTIVE"
}

# bats test_tags=elsewhere
@test "metrics of cores, memory and slices validate" {
    needs_likwid
    local arch groups
    while read -r arch groups; do
        campaign $arch split_loads bandwidth_saturation --quick --level MEM --only load,triad,aligned,shifted --node virtual:$arch-1x2
        jq -e --arg groups "$groups" '[.metrics[] | select(.verdict == "validated") | .group] as $all |
            $groups | split(" ") | all(. as $group | $all | index($group))' $arch.json
        jq -e 'all(.metrics[]; .verdict != "rejected" and .verdict != "missing")' $arch.json
    done <<<"SPR ASSAY_MEM ASSAY_SPLIT ASSAY_CHA
GNR ASSAY_MEM ASSAY_SPLIT"
}
