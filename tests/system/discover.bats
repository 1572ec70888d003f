#!/usr/bin/env bats
# `assay discover`: refusals, and groups with events that LIKWID's groups once had. More: tests/lua/discovery_spec.lua, and
# tests/discovery/run.lua, which takes minutes.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# A group like LIKWID's former L3, with a formula for the lines that L2 evicts.
group() {
    printf 'SHORT %s\n\nEVENTSET\nPMC0 L2_LINES_IN_ALL\nPMC1 L2_LINES_OUT_DEMAND_DIRTY\nPMC2 L2_LINES_OUT_DEMAND_CLEAN\n\nMETRICS\n' "$1"
    printf 'L3 load data volume [GBytes] 1.0E-09*PMC0*64.0\nL3 evict data volume [GBytes] %s\n\nLONG\n-\n' "$2"
}

# small_node ARCH: a node file; its last level is small, so that walks through it are short.
small_node() {
    echo "return { arch = \"$1\", l3 = { size = 512 << 10, ways = 16 } }" >small.lua
}

# cures ARCH: finds the current event for events that LIKWID's groups L3 formerly had. Sandy Bridge's event counted less, and Westmere's
# also clean lines (LIKWID's commits a2b67ed5 and cab88ce7 of 2015).
cures() {
    mkdir -p own found
    group OLD "1.0E-09*PMC1*64.0" >own/OLD.txt
    group CLEAN "1.0E-09*(PMC1+PMC2)*64.0" >own/CLEAN.txt
    echo "L2_LINES_OUT_DEMAND_DIRTY scale 0.82" >faults
    small_node "$1"
    only_probes walk
    run --separate-stderr "$assay" discover L2_TRANS_L2_WB L2_TRANS_L1D_WB --check own --groups found --node "virtual:$PWD/small.lua" --fault faults
    echo "$output"
    [ "$status" -eq 0 ]
    grep -Eq "^OLD +L3 evict data volume +L2-L3 evict volume +L2_LINES_OUT_DEMAND_DIRTY +does not show it +-18 % in walk_stores" <<<"$output"
    grep -Eq "^CLEAN .* \+ .* does not show it .*; [0-9.]+(e\+0[0-9])? in walk_loads [0-9 ]+, where 0 is right$" <<<"$output" # one of several equal metrics
    [ "$(grep -Ec "L3 load data volume .* shows it( |$)" <<<"$output")" -eq 2 ]
    grep -Eq "^L2-L3 evict volume .* L2_TRANS_L2_WB$" <<<"$output"
    grep -q "^1 of 1 quantities found" <<<"$output" # of the quantities that metrics fail to show
    grep -Eq "^PMC[0-9] L2_TRANS_L2_WB$" found/FOUND_L2_L3_EVICT_VOLUME.txt
}

# bats test_tags=long
@test "for a group with the former event, discovery finds the event that shows the quantity" {
    cures haswellEP
}

# bats test_tags=long
@test "the same on Broadwell" {
    cures broadwellEP
}

@test "wrong arguments of discovery are refused in one line" {
    fails_with 2 "no folder; make it first" "$assay" discover --node virtual --groups "$BATS_TEST_TMPDIR/none"
    fails_with 2 "NO_SUCH_EVENT: no event of haswellEP" "$assay" discover NO_SUCH_EVENT --node virtual
    fails_with 2 "none.txt" "$assay" discover --node virtual --check none.txt
    mkdir empty
    fails_with 2 "empty: no group file in it" "$assay" discover --node virtual --check empty
    group OWN "1.0E-09*PMC1*64.0" | sed 's/^PMC1 /PMC0 /' >OWN.txt
    fails_with 2 "OWN.txt:5: counter PMC0 is used twice" "$assay" discover --node virtual --check OWN.txt
    fails_with 2 "no-such" "$assay" discover --node virtual:no-such
}

# odd NAME EVENT-LINE METRIC-LINE.. [--long LINE]: a group of these in own/.
odd() {
    local name=$1 event=$2
    shift 2
    printf 'SHORT t\n\nEVENTSET\nFIXC0 INSTR_RETIRED_ANY\n%s\n\nMETRICS\n' "$event" >"own/$name.txt"
    printf '%s\n' "$@" "" LONG "Formulas:" "L2 load data volume [GBytes] = 1.0E-09*L1D_REPLACEMENT*64.0" >>"own/$name.txt"
}

# bats test_tags=long
@test "each metric of a folder is judged, or named with the reason why not, whatever else is wrong there" {
    local volume="L2 load data volume [GBytes]"
    mkdir own
    odd badctr "PMC9 L1D_REPLACEMENT" "$volume 1.0E-09*PMC9*64.0"
    odd blanks "PMC0 L1D_REPLACEMENT" "$volume 1.0E-09 * PMC0 * 64.0" "L2 load bandwidth [MBytes/s] 1.0E-06*PMC0*64.0/time"
    odd twice "PMC0 L1D_REPLACEMENT" "$volume 1.0E-09*PMC0*64.0" "$volume 1.0E-09*FIXC0*64.0"
    odd longdiff "PMC0 L1D_REPLACEMENT" "$volume 2.0E-09*PMC0*64.0"
    odd dup "PMC0 L1D_REPLACEMENT
PMC0 L2_TRANS_L1D_WB" "$volume 1.0E-09*PMC0*64.0"
    odd noevent "PMC0 L1D_REPLACEMENT" "$volume 1.0E-09*PMC3*64.0"
    odd unbal "PMC0 L1D_REPLACEMENT" "$volume 1.0E-09*(PMC0*64.0"
    odd typo "PMC0 L1D_REPLACMENT" "$volume 1.0E-09*PMC0*64.0" "Instructions per branch FIXC0/PMC0" "Other FIXC0"
    odd rate "PMC0 L1D_REPLACEMENT" "L2 load bandwidth [MBytes/s] 1.0E-06*PMC0*64.0"
    odd opts "PMC0:THRESHOLD=0x1:INVERT L1D_REPLACEMENT" "$volume 1.0E-09*PMC0:THRESHOLD=0x1:INVERT*64.0"
    odd power "PWR0 PWR_PKG_ENERGY" "Power [W] PWR0/time" "Watts [W] PWR0/time"
    small_node haswellEP
    only_probes walk
    run --separate-stderr "$assay" discover --check own --node "virtual:$PWD/small.lua"
    echo "$output"
    [ "$status" -eq 0 ]
    says() { grep -Eq "^$1 +$2 .*$3" <<<"$output"; }
    says badctr "L2 load data volume" "cannot be counted +haswellEP has no counter PMC9; the last one is PMC"
    says blanks "L2 load data volume" "cannot be counted .*blanks.txt:8: there is a blank in the formula: LIKWID takes '64.0' alone"
    says blanks "L2 load bandwidth" "L1D_REPLACEMENT +shows it$"
    says twice "L2 load data volume" "cannot be counted .*twice.txt:9: metric 'L2 load data volume \[GBytes\]' is there twice"
    says twice "L2 load data volume" "shows it$"
    says longdiff "L2 load data volume" "does not show it +\+(99.[0-9]+|100) % in "
    says dup "-" "cannot be counted .*dup.txt:6: counter PMC0 is used twice"
    says noevent "L2 load data volume" "cannot be counted .*noevent.txt:8: metric .* uses PMC3, which EVENTSET does not program"
    says unbal "L2 load data volume" "cannot be counted .*unbal.txt:8: formula .*: a '\)' is missing"
    says typo "L2 load data volume" "cannot be counted +L1D_REPLACMENT is no event of haswellEP"
    says rate "L2 load bandwidth" "cannot be counted +its unit is MBytes/s, but its formula is not divided by time"
    grep -qx "longdiff: the text below LONG has another formula for L2 load data volume: 1.0E-09\*L1D_REPLACEMENT\*64.0" <<<"$output"
    grep -A1 "^not judged: energy, which no probe knows" <<<"$output" | grep -qx "    Power (power)"
    grep -A1 "^not judged: groups/haswellEP/machine.lua knows no counter PWR0" <<<"$output" | grep -qx "    Watts (power)"
    grep -A1 "^not judged: nobody says what a metric of this name is to show" <<<"$output" | grep -qx "    Other (typo)"
    grep -A1 "^not judged: L1D_REPLACEMENT has no value here: .* modelled for cycles only" <<<"$output" | grep -q "data volume (opts)"
    grep -q "^16 metrics: 2 show what they should, 1 do not, 9 cannot be counted, 4 are not judged" <<<"$output"
}

# LIKWID's issue 758: single precision with the weights of double precision. A ratio without its 512-bit counter, which no probe here can test.
@test "weights of the other precision and a missing width are found" {
    mkdir own
    local fp=FP_ARITH_INST_RETIRED
    for group in FLOPS_SP:SINGLE FLOPS_DP:DOUBLE; do
        printf 'SHORT t\n\nEVENTSET\nPMC0 %s\nPMC1 %s\nPMC2 %s\nPMC3 %s\n\nMETRICS\n' "${fp}_128B_PACKED_${group#*:}" \
            "${fp}_SCALAR_${group#*:}" "${fp}_256B_PACKED_${group#*:}" "${fp}_512B_PACKED_${group#*:}" >"own/${group%:*}.txt"
    done
    printf 'SP [MFLOP/s] 1.0E-06*(PMC0*2.0+PMC1+PMC2*4.0+PMC3*8.0)/time\n\nLONG\nx\n' >>own/FLOPS_SP.txt
    printf 'DP [MFLOP/s] 1.0E-06*(PMC0*2.0+PMC1+PMC2*4.0+PMC3*8.0)/time\n' >>own/FLOPS_DP.txt
    printf 'Vectorization ratio 100*(PMC0+PMC2)/(PMC0+PMC1+PMC2)\n\nLONG\nx\n' >>own/FLOPS_DP.txt
    only_probes mix
    run --separate-stderr "$assay" discover --check own --node virtual:skylakeX-1x2
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    grep -Eq "^FLOPS_SP +SP .* does not show it +-50 % in mix_(128|256)_sp$" <<<"$output"
    grep -Eq "^FLOPS_DP +DP .* shows it$" <<<"$output"
    grep -Eq "^FLOPS_DP +Vectorization ratio .* does not show it +of 512-bit DP, which no probe makes here, it has 0 for 100" <<<"$output"
    # What needs no measurement comes before the table: three weights, each half of what it should be.
    for i in 0 1 2; do
        [[ ${lines[i]} == "own/FLOPS_SP.txt:10: error: "*"these FLOPs are x0.5 [flop-weight]" ]]
    done
}

# bats test_tags=long
@test "on a node with shuffled events, each is found to count something else" {
    echo "* shuffle 3" >"$BATS_TEST_TMPDIR/faults"
    small_node haswellEP
    run --separate-stderr "$assay" events INSTR_RETIRED_ANY L1D_REPLACEMENT AVX_INSTS_CALC --node "virtual:$PWD/small.lua" --fault "$BATS_TEST_TMPDIR/faults"
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    grep -q "^INSTR_RETIRED_ANY  *exact .* instructions$" <<<"$output" # fixed counters are not shuffled
    grep -Eq "^L1D_REPLACEMENT  *(missing|other) .*said: lines into L1$" <<<"$output"
    grep -Eq "^AVX_INSTS_CALC  *(missing|other) .*said: AVX calculations$" <<<"$output"
}
