#!/usr/bin/env bats
# `assay discover`: what it refuses, and groups with events that once were in LIKWID's. What it finds besides: tests/lua/discovery_spec.lua,
# and tests/discovery/run.lua, which takes minutes.
# SPDX-License-Identifier: GPL-3.0-or-later
# bats file_tags=judgement
bats_require_minimum_version 1.5.0
load common

# A group as LIKWID's L3 was, with a formula for what L2 gives up.
group() {
    printf 'SHORT %s\n\nEVENTSET\nPMC0 L2_LINES_IN_ALL\nPMC1 L2_LINES_OUT_DEMAND_DIRTY\nPMC2 L2_LINES_OUT_DEMAND_CLEAN\n\nMETRICS\n' "$1"
    printf 'L3 load data volume [GBytes] 1.0E-09*PMC0*64.0\nL3 evict data volume [GBytes] %s\n\nLONG\n-\n' "$2"
}

# cures NODE: for the events that LIKWID's groups L3 had, the one that they have since. Of Sandy Bridge's it counted less, and of Westmere's
# clean lines, too (LIKWID's commits a2b67ed5 and cab88ce7 of 2015).
cures() {
    mkdir -p own found
    group OLD "1.0E-09*PMC1*64.0" >own/OLD.txt
    group CLEAN "1.0E-09*(PMC1+PMC2)*64.0" >own/CLEAN.txt
    echo "L2_LINES_OUT_DEMAND_DIRTY scale 0.82" >faults
    run --separate-stderr "$assay" discover L2_TRANS_L2_WB L2_TRANS_L1D_WB --check own --groups found --node "virtual:$1" --fault faults
    echo "$output"
    [ "$status" -eq 0 ]
    grep -Eq "^OLD +L3 evict data volume +L2-L3 evict volume +L2_LINES_OUT_DEMAND_DIRTY +does not show it +-18 % in walk_stores" <<<"$output"
    grep -Eq "^CLEAN .* \+ .* does not show it .*; 2.621e\+05 in walk_loads [0-9 ]+, which has none$" <<<"$output" # one of those that are alike
    [ "$(grep -Ec "L3 load data volume .* shows it( |$)" <<<"$output")" -eq 2 ]
    grep -Eq "^L2-L3 evict volume .* L2_TRANS_L2_WB$" <<<"$output"
    grep -q "^2 of 2 quantities found" <<<"$output"
    grep -Eq "^PMC[0-9] L2_TRANS_L2_WB$" found/FOUND_L2_L3_EVICT_VOLUME.txt
}

@test "where the group has the event of old, discovery finds the one that shows it" {
    cures haswellEP-1x2
}

@test "so it does on Broadwell" {
    cures broadwellEP-1x2
}

@test "what cannot be asked of discovery is one line" {
    fails_with 2 "no folder; make it first" "$assay" discover --node virtual --groups "$BATS_TEST_TMPDIR/none"
    fails_with 2 "NO_SUCH_EVENT: no event of haswellEP" "$assay" discover NO_SUCH_EVENT --node virtual
    fails_with 2 "none.txt" "$assay" discover --node virtual --check none.txt
    mkdir empty
    fails_with 2 "empty: no group file in it" "$assay" discover --node virtual --check empty
    group OWN "1.0E-09*PMC3*64.0" >OWN.txt
    fails_with 2 "OWN.txt:10: metric 'L3 evict data volume [GBytes]' uses PMC3" "$assay" discover --node virtual --check OWN.txt
    group OWN "1.0E-09*PMC1*64.0" | sed 's/^PMC1 .*/PMC1 L2_LINES_OUT_DIRTY_ALL/' >OWN.txt
    fails_with 2 "OWN: its L2_LINES_OUT_DIRTY_ALL is no event of haswellEP" "$assay" discover --node virtual --check OWN.txt
    fails_with 2 "no-such" "$assay" discover --node virtual:no-such
}

@test "on a shuffled node events count what others should" {
    echo "* shuffle 3" >"$BATS_TEST_TMPDIR/faults"
    run --separate-stderr "$assay" events INSTR_RETIRED_ANY L1D_REPLACEMENT AVX_INSTS_CALC --node virtual --fault "$BATS_TEST_TMPDIR/faults"
    [ "$status" -eq 0 ]
    grep -q "^INSTR_RETIRED_ANY  *exact .* instructions$" <<<"$output" # fixed counters stay
    grep -Eq "^L1D_REPLACEMENT  *(missing|other) .*said: lines into L1$" <<<"$output"
    grep -Eq "^AVX_INSTS_CALC  *(missing|other) .*said: AVX calculations$" <<<"$output"
}
