#!/usr/bin/env bats
# Runs tests/swaps/run.lua, which explains what is tested. Other architectures take longer and are run by hand:
# lua5.4 tests/swaps/run.lua ARCH --inject 6
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "every swap of two events of haswellEP's groups is found, or listed with the reason; injected ones are" {
    cd "$root"
    BUILD=$build lua5.4 tests/swaps/run.lua haswellEP --inject 3
}
