#!/usr/bin/env bats
# LIKWID finds the node's access daemon even if programs on the way change PATH.
# SPDX-License-Identifier: GPL-3.0-or-later

load common

# bats test_tags=elsewhere
@test "likwid-perfctr counts under a PATH that a login shell set anew" {
    "$assay" vnode -- env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "$(command -v likwid-perfctr)" -C 0 -g INSTR_RETIRED_ANY:FIXC0 -o "$PWD/x.csv" true
    run awk -F, '$2 == "FIXC0" && $3 > 10000 { n++ } END { print n + 0 }' x.csv
    [ "$output" -ge 1 ]
}
