#!/usr/bin/env bats
# Atomic updates on virtual nodes: locked loads are exact however often threads meet, and absent in histograms of their own.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="atomic_updates --quick"
nodes="skylakeX-1x2 haswellEP-1x2 broadwellEP-1x2"

# bats test_tags=architectures
@test "locked loads are exact, and 0.2 % more or less would have been seen" {
    on_each "$nodes" '
        for _, m in each { pattern = "atomic_updates" } do
            check(m.class == "exact" and m.verdict == (m.code == "shared" and "validated" or "untested"), m.metric)
            check(worst(m) <= 0.1, m.metric)
            check(m.code == "own" or m.resolution.factor_up <= 1.002 and m.resolution.factor_down >= 0.998, m.metric)
        end'
}

# bats test_tags=architectures
@test "locked loads distinguish one histogram from two" {
    on_each "$nodes" '
        local t = one { code = "shared", metric = "Locked loads per instruction" }.threshold
        check(t.present.min > 1000 * t.absent.max, t.absent.max)'
}

@test "an architecture that counts locks by how they were executed skips them with that reason" {
    run "$assay" list patterns --long --node virtual:zen2-1x4
    grep -q "not        locked loads: locked instructions are counted by how they were executed" <<<"$output"
}
