#!/usr/bin/env bats
# LIKWID finds the node's access daemon even if intermediate programs change PATH.
# SPDX-License-Identifier: GPL-3.0-or-later

load common

# bats test_tags=elsewhere
@test "likwid-perfctr counts after a login shell has reset PATH" {
    "$assay" vnode -- env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "$(command -v likwid-perfctr)" -C 0 -g INSTR_RETIRED_ANY:FIXC0 -o "$PWD/x.csv" true
    run awk -F, '$2 == "FIXC0" && $3 > 10000 { n++ } END { print n + 0 }' x.csv
    [ "$output" -ge 1 ]
}

@test "an empty part of PATH is the current folder, for Assay as for programs on the node" {
    printf '%s\n' '#!/bin/sh' 'echo "likwid-perfctr -- Version 9.9.9 (commit: here)"' >likwid-perfctr
    chmod +x likwid-perfctr
    env -u LIKWID_PREFIX PATH=":$PATH" "$assay" doctor >found
    grep "version 9.9.9, ./likwid-perfctr" found
    printf '%s\n' '#!/bin/sh' 'echo here' >only-here
    chmod +x only-here
    for path in ":$PATH" "$PATH:"; do
        run "$assay" vnode -- env PATH="$path" only-here
        [ "${lines[0]}" = here ]
    done
}
