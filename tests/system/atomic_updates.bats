#!/usr/bin/env bats
# Atomic updates on virtual nodes: locked loads are exact however often threads meet, and absent in histograms of their own.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

nodes="haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2"

setup_file() {
    load common
    for node in $nodes; do
        "$assay" validate atomic_updates --node "virtual:$node" --quick --out "$BATS_FILE_TMPDIR/$node.json" >/dev/null 2>&1
    done
}

@test "locked loads are exact, and 0.2 % more or less would have been seen" {
    for node in $nodes; do
        lua5.4 "$root/tests/system/query.lua" "$BATS_FILE_TMPDIR/$node.json" '
            for _, m in each { pattern = "atomic_updates" } do
                check(m.class == "exact" and m.verdict == (m.code == "shared" and "validated" or "untested"), m.metric)
                check(worst(m) <= 0.1, m.metric)
                check(m.code == "own" or m.resolution.factor_up <= 1.002 and m.resolution.factor_down >= 0.998, m.metric)
            end'
    done
}

@test "locked loads tell one histogram from two" {
    for node in $nodes; do
        lua5.4 "$root/tests/system/query.lua" "$BATS_FILE_TMPDIR/$node.json" '
            local t = one { code = "shared", metric = "Locked loads per instruction" }.threshold
            check(t.present.min > 1000 * t.absent.max, t.absent.max)'
    done
}

@test "what counts locks by how they were executed says so" {
    run "$assay" list patterns --long --node virtual:zen3-1x4
    grep -q "not        locked loads: locked instructions are counted by how they were executed" <<<"$output"
}
