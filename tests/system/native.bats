#!/usr/bin/env bats
# What commands say of the machine that they run on. A virtual node stands for a machine with counters to which there is no access.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

machine() { "$assay" vnode --node haswellEP-1x1 -- "$@"; }

@test "what speaks about the machine or measures the user's program never takes a simulated node by itself" {
    for command in "analyse -- true" "laws -- true" "events INSTR_RETIRED_ANY" discover configuration sampling calibrate; do
        # shellcheck disable=SC2086 # words
        fails_with 2 "this machine cannot be measured: " "$assay" $command
        [[ "$stderr" == *"; --node virtual: a simulated node instead" ]]
        [ "$output" = "" ]
    done
    run "$assay" validate --health
    [ "$status" -eq 2 ]
    [[ "$output" == "unknown: this machine cannot be measured: "* ]]
}

@test "a machine with counters that is not validated is named first, last, in the record, in the table and on the page" {
    warning="This machine was NOT validated: register access: "
    run --separate-stderr machine "$assay" validate split_loads --quick --only aligned --out record.json
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "$warning"*" The results are those of a virtual haswellEP." ]]
    [ "${lines[-1]}" = "${lines[0]}" ]
    [[ "$(jq -r .node.not_validated record.json)" == "register access: "* ]]
    "$assay" show record.json | head -1 | grep "^$warning"
    "$assay" report record.json --html page.html
    grep "<strong>$warning" page.html
    "$assay" tables record.json --out wiki
    grep -F "**${lines[0]}**" wiki/haswellEP.md
}

@test "of a machine without counters nothing of the kind is said" {
    "$assay" doctor | grep -q '^blocks  PMU' || skip "this machine has counters"
    run --separate-stderr "$assay" validate split_loads --quick --only aligned --out record.json
    [ "$status" -eq 0 ]
    [[ "$output" != *"NOT validated"* ]]
    [ "$(jq .node.not_validated record.json)" = null ]
}
