#!/usr/bin/env bats
# A whole campaign in the noise of 50 seeds of both levels (tests/system/replay.bats has two of them, and small caches).
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "right counters stay validated in the noise of 50 seeds, quiet and busy, and none is blamed" {
    cd "$root"
    export BUILD=$build
    sh tests/replay/kept.sh "$BATS_TEST_TMPDIR/kept.lua"
    lua5.4 tests/replay/noise.lua --kept "$BATS_TEST_TMPDIR/kept.lua" --level quiet --reps 5
    lua5.4 tests/replay/noise.lua --kept "$BATS_TEST_TMPDIR/kept.lua" --level busy --reps 10
}
