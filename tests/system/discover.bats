#!/usr/bin/env bats
# `assay discover`: what it refuses. What it finds: tests/lua/discovery_spec.lua, and tests/discovery/run.lua, which takes minutes.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

@test "what cannot be asked of discovery is one line" {
    fails_with 2 "no folder; make it first" "$assay" discover --node virtual --groups "$BATS_TEST_TMPDIR/none"
    fails_with 2 "unexpected" "$assay" discover L1D_REPLACEMENT --node virtual
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
