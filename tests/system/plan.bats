#!/usr/bin/env bats
# `assay validate --plan`: what would be measured, without measuring.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

# plan ARGUMENT...: the plan of all patterns with few points, in the file `plan`.
plan() {
    "$assay" validate --plan --quick "$@" >plan || { cat plan; return 1; }
}

@test "the commands of a plan are those that a campaign executes, in their order" {
    # shellcheck disable=SC2016 # for the script
    fake_likwid 'echo "$0 $*" >>"'"$PWD"'/executed"; exit 1'
    "$assay" validate --plan --quick --node virtual:haswellEP-2x2 split_loads bandwidth_saturation >plan
    refute test -e executed
    run "$assay" validate --quick --jobs 1 --node virtual:haswellEP-2x2 split_loads bandwidth_saturation
    [ -s executed ]
    diff <(sed -n 's/^      //p' plan) executed
}

@test "a plan leaves no file: no record, nothing in TMPDIR" {
    mkdir tmp
    TMPDIR=$PWD/tmp plan split_loads --node virtual --out record.json
    [ "$(find . -name 'record*' | wc -l)" -eq 0 ]
    [ "$(find tmp -type f | wc -l)" -eq 0 ]
    "$assay" validate --dry-run --quick split_loads --node virtual >again
    diff plan again
}

@test "a plan says what is skipped and why, and the options choose as in a campaign" {
    plan --node virtual:haswellEP-1x1 page_placement bandwidth_saturation --level MEM
    grep "^  page_placement .*the node has one socket, two are needed" plan
    grep "^  bandwidth_saturation .*socket has one core" plan
    refute grep "data in L2" plan
    "$assay" calibrate --plan --quick --node virtual:haswellEP-1x1 split_loads >costs
    grep -A1 "^the cost of measuring" costs | grep "^  job split_loads.*empty: CPU 0"
}

@test "a plan of this machine needs no counters, one of another machine only its topology" {
    "$assay" validate --plan --quick split_loads >plan
    lstopo-no-graphics -i "pack:2 l3:1 l2:4 l1:1 core:1 pu:2" there.xml
    HWLOC_XMLFILE=there.xml plan --node native:haswellEP split_loads
    grep "^2 sockets of 4 cores, 2 hardware threads a core" plan
    fails_with 2 "none: no machine file for this architecture" "$assay" validate --plan --node native:none
    fails_with 2 "--node native:a/b: no name of an architecture" "$assay" validate --plan --node native:a/b
    fails_with 2 "--node native:haswellEP: unknown" "$assay" validate --node native:haswellEP
}
