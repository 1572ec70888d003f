#!/usr/bin/env bats
# The events of Assay's groups, all that a command without names examines. SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "the events of Assay's groups are exact, or no probe causes them" {
    "$assay" events --node virtual --out events.json >text
    jq -r '.events[] | select(.class != "exact") | "\(.event): \(.class), \(.counts)"' events.json
    jq -e '[.events[] | .class] | length > 30 and (unique - ["exact", "unknown", "untested"] == [])' events.json
    grep -q "^Cycles (CPU_CLK_UNHALTED_CORE) come nearest to " text
}
