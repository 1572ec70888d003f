#!/usr/bin/env bats
# Pipelining issues on virtual nodes: both codes do the same, and cycles are skipped with the reason.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# bats test_tags=architectures
@test "operations and instructions are exact, the same in both codes, and cycles are skipped with the reason" {
    for node in $(nodes_here broadwellEP-1x2:6 haswellEP-1x2:4 skylakeX-1x2:4 zen3-1x4:6); do
        run "$assay" validate pipelining --node "virtual:${node%:*}" --quick --out "${node%:*}.json"
        grep -q "skipped: .*cycles per instruction: a virtual node's time model has neither" <<<"$output"
        lua5.4 "$root/tests/system/query.lua" "${node%:*}.json" '
            sharp({}, 0.002, '"${node#*:}"')
            for _, m in each { code = "side_by_side", class = "exact" } do
                check(near(m.expected.max, one { metric = m.metric, code = "chain" }.expected.max, 1e-4), m.metric)
            end'
    done
}
