#!/usr/bin/env bats
# Blame: events of a campaign are made wrong in several ways (tests/replay/run.lua), and right counters get noise (tests/replay/noise.lua).
# Both programs have more options, to be run by hand. All events take minutes: lua5.4 tests/replay/run.lua --node NODE --inject 6
# All 50 seeds of noise, and caches of the usual size: tests/full/replay.bats.
# SPDX-License-Identifier: GPL-3.0-or-later
# bats file_tags=long
load common

@test "ten faults of an event of L2: each is named, with its constants if it has any; an injected fault gives the same line" {
    cd "$root"
    BUILD=$build run -0 lua5.4 tests/replay/run.lua --patterns "bandwidth_saturation --level L2,L3" --event L2_LINES --inject 1 --all
    grep -q ": 10 faults: .* 0 unseen, 0 partly, 0 missed, 0 misnamed" <<<"$output"
    for fault in "scale 0.6" "scale 1.05" "scale 3" "add" "scale 1.2 and add" "stuck"; do
        grep -q "^named  *L2_LINES_IN_ALL  *$fault  " <<<"$output"
    done
    grep -q "^injected: L2_LINES_IN_ALL scale .*: the same line" <<<"$output"
}

# judged_with_noise LEVEL REPETITIONS: judges a whole campaign with noise: right counters stay validated, and none is blamed. The campaign
# is measured once; both levels use its counts. A seed takes 5 to 8 s: two of the fifty are judged here.
judged_with_noise() {
    local kept=${FIXTURES:-$BATS_RUN_TMPDIR}/kept.lua from=43 seeds=2
    cd "$root"
    (
        flock 9
        [ -e "$kept" ] || BUILD=$build sh tests/replay/kept.sh "$kept" --node virtual:tests/nodes/small_cache.lua 9>&-
    ) 9>"$kept.lock"
    BUILD=$build run -0 lua5.4 tests/replay/noise.lua --kept "$kept" --level "$1" --reps "$2" --from $from --seeds $seeds
    echo "$output"
    grep -Eq "^$1: $seeds seeds: at least [0-9]+ of [1-9][0-9]{2} rows .* 0 become wrong, 0 lines of blame .*; [1-9][0-9]* runs" <<<"$output"
}

@test "a whole campaign in a quiet node's noise: right counters stay validated, none is blamed" { judged_with_noise quiet 5; }

@test "a whole campaign in a busy node's noise: right counters stay validated, none is blamed" { judged_with_noise busy 10; } # five are too few: docs/noise.md

@test "an event that is wrong on a noisy node: no wrong row is validated, no other row is wrong or blamed" {
    cd "$root"
    BUILD=$build run -0 lua5.4 tests/replay/noise.lua --kept tests/records/campaign.lua --faults --event L2_LINES_IN --reps 10 --seeds 1
    echo "$output"
    [[ $output == "1 events: 5 faults make rows wrong, 0 do not; in noise 0 wrong rows are validated, 0 others become wrong, 0 lines of blame without the event are added" ]]
}
