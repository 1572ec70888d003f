#!/usr/bin/env bats
# Pairs of events whose swap the campaign detects: a short part of tests/swaps/run.lua, which explains it. All of haswellEP:
# tests/full/swaps.bats.
# SPDX-License-Identifier: GPL-3.0-or-later
# bats file_tags=long
load common

# short_part PATTERNS TEXT: the swaps of events whose names match TEXT; one of the detected ones is injected.
short_part() {
    cd "$root"
    BUILD=$build run lua5.4 tests/swaps/run.lua haswellEP --node virtual:haswellEP-1x2 --patterns "$1" --event "$2" --inject 1
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "every swap of two events of lines between caches is found, and an injected one is" {
    short_part "bandwidth_saturation --level L2,L3" '^L'
    grep -Eqx '([0-9]+) swaps of two events: \1 found, 0 cannot be told apart' <<<"$output"
    [[ "${lines[-1]}" == "injected: "*": found" ]]
}

@test "two names of one event cannot be distinguished, and are listed with the reason" {
    short_part vector_transitions ^OTHER_ASSISTS
    [ "${lines[-1]}" = "3 swaps of two events: 0 found, 3 cannot be told apart" ]
}
