#!/usr/bin/env bats
# Pattern control_flow on virtual nodes: branches and mispredictions, and how far the codes with and without the pattern are apart.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="control_flow --quick"

# bats test_tags=architectures
@test "branches and mispredictions are exact, and 2 % more or less would have been seen; sorted data have none" {
    on_each "broadwellEP-1x2 haswellEP-1x2 skylakeX-1x2 zen3-1x4" '
        local validated = 0
        for _, m in each { pattern = "control_flow" } do
            local is_none = m.code == "sorted" and m.metric:lower():find "mispred"
            check(m.verdict == (is_none and "untested" or "validated"), m.code .. " " .. m.metric .. ": " .. m.verdict)
            check(worst(m) <= 0.1, m.metric)
            validated = validated + (is_none and 0 or 1)
            check(is_none or m.resolution.factor_up <= 1.02 and m.resolution.factor_down >= 0.98, m.metric)
        end
        check(validated == 10, validated)'
}

# bats test_tags=architectures
@test "the misprediction ratio distinguishes random from sorted data" {
    on_each "broadwellEP-1x2 haswellEP-1x2 skylakeX-1x2 zen3-1x4" '
        local t = one { code = "random", metric = "Branch misprediction ratio" }.threshold
        check(t.margin >= 100 and t.value > t.absent.max and t.value < t.present.min, t.margin)'
}

# bats test_tags=long
@test "only the counter of mispredictions is blamed if it is off by a factor" {
    echo "BR_MISP_RETIRED_ALL_BRANCHES scale 1.05" >half
    run "$assay" validate control_flow --node virtual --quick --fault half --out r.json
    echo "$output"
    grep -q "^BR_MISP_RETIRED_ALL_BRANCHES counts 1.05" <<<"$output"
    [ "$(grep -c '^[A-Z_]* counts ' <<<"$output")" -eq 1 ]
}

@test "too many materials are refused" {
    fails_with 1 "65 materials; give at most 64" "$build/patterns/control_flow" -c 0 r random 64 65
}
