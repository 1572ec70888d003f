#!/usr/bin/env bats
# Loads that split a line, on virtual nodes of each architecture.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="split_loads"
nodes="zen3-1x4 haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2"

# bats test_tags=architectures
@test "split_loads: exact within 0.01 % for every width, and none where vectors begin with lines" {
    on_each "$nodes" '
        local validated = 0
        for _, m in each { pattern = "split_loads", metric = "Split loads" } do
            check(m.class == "exact" and worst(m) <= 0.01, m.code)
            validated = validated + (m.verdict == "validated" and 1 or 0)
        end
        check(validated == 3, validated)'
}

# bats test_tags=architectures
@test "split_loads: shifted and aligned vectors are more than a thousand times apart" {
    on_each "$nodes" '
        local t = one { code = "shifted", metric = "Split loads" }.threshold
        check(t.present_is == "above" and (t.margin or 1e9) >= 1000 and t.value > t.absent.max, t.present.min)'
}
