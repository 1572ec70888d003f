#!/usr/bin/env bats
# Transitions between AVX and SSE on virtual nodes: from the kernel's disassembly, and as counted by the engine.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="vector_transitions --quick"

# bats test_tags=architectures
@test "transitions are exact, and 0.2 % more or less would have been seen" {
    on_each "haswellEP-1x2 broadwellEP-1x2" '
        sharp({}, 0.002, 3)
        local t = one { metric = "AVX to SSE transitions per instruction", code = "mixed" }.threshold
        check(t.present.min > 1000 * t.absent.max, t.absent.max)'
}

# bats test_tags=architectures
@test "processors that keep the upper halves have no event" {
    for node in $(nodes_here zen3-1x4 skylakeX-1x2); do
        run "$assay" validate vector_transitions --quick --node "virtual:$node" --out "$BATS_TEST_TMPDIR/$node.json"
        [ "$(grep -c "^skipped: vector_transitions: .*transitions" <<<"$output")" -eq 3 ]
    done
}
