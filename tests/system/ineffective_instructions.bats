#!/usr/bin/env bats
# Ineffective instructions: scalars against vectors, on virtual nodes of each architecture.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="ineffective_instructions"

# bats test_tags=architectures
@test "FLOPs of every width and their shares are exact, and 2 % more or less would have been seen" {
    for node in $(nodes_here broadwellEP-1x2:17 haswellEP-1x2:2 skylakeX-1x2:11 zen3-1x4:6); do
        query "${node%:*}" "sharp({}, 0.002, ${node#*:})"
    done
}

# bats test_tags=architectures
@test "the share of vectors distinguishes scalars from vectors, and mixtures lie between them" {
    on_each "broadwellEP-1x2 skylakeX-1x2" '
        local t = one { code = "scalar", metric = "Share of vectors DP" }.threshold
        check(t.present_is == "below" and t.present.max < t.value and t.value < t.absent.min, t.present_is)
        local m = one { code = "remainders", metric = "Share of vectors DP" }
        check(near(m.expected.min, 100 * 4 / 7, 1e-9) and near(m.expected.max, 100 * 12 / 14, 1e-9), m.expected.min)'
}

@test "an architecture that cannot count scalars skips them with the reason" {
    "$assay" list patterns --long --node virtual:haswellEP-1x2 | grep -q "not .*share of vectors DP: no event counts scalar"
    "$assay" list patterns --long --node virtual:zen3-1x4 | grep -q "not .*share of vectors DP: the event for FLOPs"
}

@test "rows without a vector, or without a remainder, are refused" {
    program=$build/patterns/ineffective_instructions
    fails_with 1 "rows of 6; give a multiple of 4" "$program" -c 0 r vector 6 1 1
    fails_with 1 "rows of 3; give more than 4 and no multiple" "$program" -c 0 r remainders 3 1 1
    fails_with 1 "rows of 8; give more than 4 and no multiple" "$program" -c 0 r remainders 8 1 1
}
