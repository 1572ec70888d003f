#!/usr/bin/env bats
# Pipelining issues on virtual nodes: both codes do the same, and cycles are skipped with the reason.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

@test "operations and instructions are exact, the same in both codes, and cycles are skipped with the reason" {
    for node in haswellEP-1x2:4 broadwellEP-1x2:6 skylakeX-1x2:4 zen3-1x4:4; do
        run "$assay" validate pipelining --node "virtual:${node%:*}" --quick --out "${node%:*}.json"
        grep -q "skipped: .*cycles per instruction: cycles of a virtual node know neither" <<<"$output"
        lua5.4 "$root/tests/system/query.lua" "${node%:*}.json" '
            local validated = 0
            for _, m in each { pattern = "pipelining", verdict = "validated" } do
                check(worst(m) <= 0.1 and m.resolution.factor_up <= 1.002 and m.resolution.factor_down >= 0.998, m.metric)
                local of_chain = one { metric = m.metric, code = "chain" }
                check(near(m.expected.max, of_chain.expected.max, 1e-4), m.metric)
                validated = validated + 1
            end
            check(validated == '"${node#*:}"', validated)'
    done
}
