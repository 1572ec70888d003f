#!/usr/bin/env bats
# `assay discover --check` on all of LIKWID's groups for an architecture: each metric is judged, or named with the reason why not; what LIKWID's
# history says is wrong is found. Minutes. SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

# checks ARCH: of all its groups; the output is in $output, the metrics in $metrics.
checks() {
    local folder=/usr/share/likwid/perfgroups/$1
    [ -d "$folder" ] || skip "LIKWID's groups are not in $folder"
    run --separate-stderr "$assay" discover --check "$folder" --node "virtual:$1-1x2" --out found.json
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(jq '.checked | length' found.json)" -ge "$(sed -n '/^METRICS/,/^$/p' "$folder"/*.txt | grep -cE '[A-Za-z].* [^ ]+$')" ]
    [ "$(jq '[.checked[] | select(.verdict == null and .reason == null)] | length' found.json)" -eq 0 ]
    for metric in "Memory read data volume" "Memory write data volume"; do
        [ "$1" = zen3 ] || jq -e --arg metric "$metric" \
            '[.checked[] | select(.metric == $metric and .group == "MEM") | .verdict] == ["right"]' found.json
    done
    jq -e '[.checked[] | select(.group == "BRANCH" and .metric == "Branch misprediction ratio") | .verdict] == ["right"]' found.json
}

# verdict GROUP METRIC
verdict() {
    jq -r --arg group "$1" --arg metric "$2" '.checked[] | select(.group == $group and .metric == $metric) | .verdict' found.json
}

@test "haswellEP: the metrics of CBOX are exchanged, CACHES leaves out boxes, fills are no requests" {
    checks haswellEP
    [ "$(verdict CBOX "LLC misses per instruction")" = wrong ]
    [ "$(verdict CBOX "LLC data written to MEM")" = wrong ]
    [ "$(verdict L2CACHE "L2 request rate")" = wrong ]
    grep -q "^CACHES: the text below LONG has another formula for System to L3 data volume" <<<"$output"
}

@test "broadwellEP" {
    checks broadwellEP
    [ "$(verdict MEM_DP DP)$(verdict MEM_DP MFLOP/s)" = right ]
}

@test "skylakeX" {
    checks skylakeX
    [ "$(verdict MEM_SP "Operational intensity")" = right ]
}

@test "zen3: groups with a metric that uses an uncounted event are still checked" {
    checks zen3
    [ "$(verdict L3CACHE CPI)" = broken ]
    [ "$(verdict L2CACHE "L2 request rate")" = right ]
}
