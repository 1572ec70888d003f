#!/usr/bin/env bats
# Programs are found through PATH: LIKWID and the node's access daemon, even if intermediate programs change PATH.
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

@test "LIKWID's version and paths are queried once, and again after likwid-perfctr or a variable of LIKWID has changed" {
    local real
    real=$(command -v likwid-perfctr)
    [ "$(sed -n '1s/.*lua.*/lua/p' "$real")" = lua ] || skip "likwid-perfctr is no Lua script"
    mkdir own
    { head -1 "$real" && echo 'io.open(os.getenv("ASKED"), "a"):write("asked\n")' && tail -n +2 "$real"; } >own/likwid-perfctr
    chmod +x own/likwid-perfctr
    export ASKED=$PWD/asked
    for _ in 1 2 3; do PATH=$PWD/own:$PATH "$assay" list patterns --node virtual >patterns; done
    [ "$(wc -l <asked)" -eq 1 ]
    touch own/likwid-perfctr
    PATH=$PWD/own:$PATH "$assay" list patterns --node virtual >again
    [ "$(wc -l <asked)" -eq 2 ]
    cmp patterns again
    LIKWID_NO_ACCESS=1 PATH=$PWD/own:$PATH "$assay" list patterns --node virtual >again
    [ "$(wc -l <asked)" -eq 3 ]
    PATH=$PWD/own:$PATH "$assay" doctor >/dev/null || true
    [ "$(wc -l <asked)" -gt 3 ]
}

@test "a LIKWID_PREFIX without LIKWID is refused in one line; one with a blank in its name works" {
    fails_with 2 "LIKWID_PREFIX=$PWD/no thing: no bin/likwid-perfctr there" env LIKWID_PREFIX="$PWD/no thing" "$assay" validate --plan --node virtual
    mkdir -p "a b/bin"
    ln -s "$(command -v likwid-perfctr)" "a b/bin/likwid-perfctr"
    env LIKWID_PREFIX="$PWD/a b" "$assay" doctor | grep -F "$PWD/a b/bin/likwid-perfctr"
}
