#!/usr/bin/env bats
# Blame: each event of a campaign is made wrong in several ways (explained in tests/replay/run.lua). All events take minutes, by hand:
# lua5.4 tests/replay/run.lua --node NODE --inject 6; and right counters with all 50 seeds of noise: tests/full/replay.bats
# SPDX-License-Identifier: GPL-3.0-or-later
# bats file_tags=long
load common

@test "ten ways of being wrong of the events into L2: each is named with its constants, or said to have none; an injected one alike" {
    cd "$root"
    BUILD=$build run -0 lua5.4 tests/replay/run.lua --patterns "bandwidth_saturation --level L2,L3" --event L2_LINES --inject 1 --all
    grep -q ": 10 faults: .* 0 unseen, 0 partly, 0 missed, 0 misnamed" <<<"$output"
    for fault in "scale 0.6" "scale 1.05" "scale 3" "add" "scale 1.2 and add" "stuck"; do
        grep -q "^named  *L2_LINES_IN_ALL  *$fault  " <<<"$output"
    done
    grep -q "^injected: L2_LINES_IN_ALL scale .*: the same line" <<<"$output"
}

# judged_with_noise LEVEL REPETITIONS: the whole campaign, kept once for both levels: right counters stay validated, none is blamed. A seed
# takes 5 to 8 s. Of seeds 1 to 50 (tests/full/replay.bats) these are the six around 46, the one that disturbs most.
judged_with_noise() {
    local kept=${FIXTURES:-$BATS_RUN_TMPDIR}/kept.lua from=43 seeds=6
    cd "$root"
    (
        flock 9
        [ -e "$kept" ] || BUILD=$build sh tests/replay/kept.sh "$kept" 9>&-
    ) 9>"$kept.lock"
    BUILD=$build run -0 lua5.4 tests/replay/noise.lua --kept "$kept" --level "$1" --reps "$2" --from $from --seeds $seeds
    echo "$output"
    grep -Eq "^$1: $seeds seeds: at least [0-9]+ of [1-9][0-9]{2} rows .* 0 become wrong, 0 lines of blame .*; [1-9][0-9]* runs" <<<"$output"
}

@test "a whole campaign in a quiet node's noise: right counters stay validated, none is blamed" { judged_with_noise quiet 5; }

@test "a whole campaign in a busy node's noise: right counters stay validated, none is blamed" { judged_with_noise busy 10; } # five are too few: docs/noise.md
