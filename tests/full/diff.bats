#!/usr/bin/env bats
# The virtual node must be as good as its reference record in everything. SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "no class or verdict of the virtual node is worse than in the reference record" {
    "$assay" validate --node virtual --quick --out new.json >/dev/null 2>&1
    run --separate-stderr "$assay" diff "$(reference)" new.json
    echo "$output$stderr"
    [ "$status" -eq 0 ]
}
