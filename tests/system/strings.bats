#!/usr/bin/env bats
# Repeated string instructions: the accesses, lines and instructions of fast-string operation. tests/engine/exact_cases.def
# has the rule, case by case.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export ASSAY_NODE_DIR=$BATS_TEST_TMPDIR/node VALGRIND_LIB=$build/vnode/valgrind
    mkdir "$ASSAY_NODE_DIR"
    "$build/tests/engine/node_tool" create "$ASSAY_NODE_DIR"
}

strings() {
    run timeout 120 valgrind -q --tool=assay --affinity=0x1 "$build/tests/engine/strings" "$@"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "a mebibyte copied and filled: groups of 16 bytes, each line once, no branches" {
    strings lines
}

@test "a mebibyte searched and compared: an access for each element" {
    strings searched
}

@test "a repeated instruction that signals interrupt is one instruction" {
    strings interrupted
}
