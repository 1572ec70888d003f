#!/usr/bin/env bats
# The detection matrix, its short part. SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "the detection matrix, its short part: all found and named, no false alarm" {
    cd "$root"
    run --separate-stderr lua5.4 tests/detection/run.lua --quick
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *" 0 misnamed, 0 missed, "*" 0 false alarms"* ]]
}

@test "the detection matrix on a noisy node, its short part: all found and named, no false alarm" {
    cd "$root"
    for level in quiet busy; do
        run --separate-stderr lua5.4 tests/detection/run.lua --quick --noise "$level"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ "$output" == *" 0 misnamed, 0 missed, "*" 0 false alarms"* ]]
    done
}
