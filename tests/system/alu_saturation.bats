#!/usr/bin/env bats
# ALU saturation on virtual nodes of each architecture: the same operations in both codes, with an operand from L2 in one.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# bats test_tags=architectures
@test "operations, instructions and volume are exact, and cycles are skipped with the reason" {
    for node in $(nodes_here skylakeX-1x2:5 haswellEP-1x2:5 broadwellEP-1x2:7 zen3-1x4:6); do
        run "$assay" validate alu_saturation --node "virtual:${node%:*}" --quick --out "${node%:*}.json"
        grep -q "skipped: .*cycles per instruction: a virtual node's time model has neither" <<<"$output"
        lua5.4 "$root/tests/system/query.lua" "${node%:*}.json" '
            sharp({}, 0.003, '"${node#*:}"')
            check(one { metric = "L1-L2 load volume", code = "registers" }.verdict == "untested")'
    done
}

@test "a number of vectors that is not a whole number of passes is refused" {
    fails_with 1 "give a multiple of 12" "$build/patterns/alu_saturation" -c 0 r registers 100 4
}
