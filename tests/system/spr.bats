#!/usr/bin/env bats
# Sapphire Rapids: boxes that LIKWID's access daemon finds in discovery tables; refused where LIKWID does not know the processor.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# Skips the test where LIKWID is older than 5.4, which has all slices.
needs_likwid() {
    local version
    likwid_is 5.4.0 || skip "LIKWID $version cannot count on SPR, 5.4 can"
}

@test "a LIKWID that does not know the processor is refused with the version that does" {
    fake_likwid "exit 1"
    export PATH=$PWD/fake/bin:$PATH
    for command in "vnode --node SPR-1x2 -- true" "validate --node virtual:SPR-1x2" "list events SPR"; do
        fails_with 2 "SPR-1x2: LIKWID 5.2.2 does not know SPR; install LIKWID 5.3.0 or later" "$assay" $command
    done
    "$assay" list archs | grep "^SPR  *virtual .*; LIKWID 5\.3 or later$"
    "$assay" list nodes | grep "^SPR-1x2 .*; LIKWID 5\.3\.0 or later$"
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
@test "lines of the other socket's memory come over four links; LIKWID never programs the fourth" {
    needs_likwid
    local events=RXL_FLITS_ALL_DATA:UPI0C0
    for box in 1 2 3; do events+=,RXL_FLITS_ALL_DATA:UPI${box}C3; done
    counted SPR-2x2 -c S0:0 -g "$events" likwid-bench -t load -i 8 -w S0:10MB:1-0:S1 >counts
    cat counts
    # eight times 156250 lines, each of nine flits
    between RXL_FLITS_ALL_DATA $((8 * 156250 * 9 * 3 / 4)) $((8 * 156250 * 9 * 77 / 100))
}

# bats test_tags=elsewhere
@test "no event of the groups has a code that differs from Intel's, and insertions are not called occupancy" {
    needs_likwid
    "$assay" list events SPR >list
    awk '/ differs: /{ print $1 }' list | sort >differ
    grep "^TOR_OCCUPANCY_IA_MISS_DRD .* differs: counts another event$" list
    awk '/^EVENTSET/ { in_set = 1; next } NF != 2 { in_set = 0 } in_set { print $2 }' "$build"/groups/SPR/*.txt | sort -u >used
    [ -s used ]
    [ -z "$(comm -12 differ used)" ]
}

# bats test_tags=elsewhere
@test "metrics of cores, memory and slices validate" {
    needs_likwid
    campaign spr split_loads bandwidth_saturation --quick --level MEM --only load,triad,aligned,shifted --node virtual:SPR-1x2
    jq -e '[.metrics[] | select(.verdict == "validated") | .group] | index("ASSAY_MEM") and index("ASSAY_SPLIT") and index("ASSAY_CHA")' spr.json
    jq -e 'all(.metrics[]; .verdict != "rejected" and .verdict != "missing")' spr.json
}
