#!/usr/bin/env bats
# Caches and TLBs of odd geometries, found from counts alone. Explained in tests/configuration/run.lua.
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "odd geometries are found as their node files state them" {
    run env -C "$root" BUILD="${assay%/assay}" lua5.4 tests/configuration/run.lua
    echo "$output"
    [ "$status" -eq 0 ]
    grep -q "^[1-9][0-9]* parts, 0 not found as they are$" <<<"$output"
}
