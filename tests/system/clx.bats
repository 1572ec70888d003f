#!/usr/bin/env bats
# Virtual nodes of Cascade Lake-SP, which inherits Skylake-SP.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# verdicts FILE: each verdict of the record once, in alphabetical order.
verdicts() { jq -r '[.metrics[].verdict] | unique | join(" ")' "$1.json"; }

@test "inherited groups of Cascade Lake are measured with LIKWID's tables for CLX, and validated" {
    campaign sample bandwidth_saturation avx_flops --quick --level L2 --only load,triad --node virtual:CLX-1x2
    [ "$(jq -r .node.arch sample.json)" = CLX ]
    [ "$(verdicts sample)" = "skipped untested validated" ]
}

# bats test_tags=long
@test "each metric of Cascade Lake is validated, or has a reason why not" {
    campaign whole --quick --node virtual:tests/nodes/CLX_small.lua
    [ "$(verdicts whole)" = "qualitative skipped unresolved untested validated" ]
    jq -e 'all(.metrics[] | select(.verdict == "skipped" or .verdict == "unresolved"); .reason != null)' whole.json
    [ "$(jq '[.metrics[] | select(.verdict == "validated")] | length' whole.json)" -gt 700 ]
}
