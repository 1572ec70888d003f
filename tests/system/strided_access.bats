#!/usr/bin/env bats
# Strided loads on virtual nodes of each architecture: whole lines move, however few of their bytes are used.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="strided_access --quick --all"

# bats test_tags=architectures
@test "volumes across all measurable boundaries are exact within 0.5 %, with a resolution below 1 %" {
    for node in $(nodes_here zen3-1x4:4 haswellEP-1x2:8 broadwellEP-1x2:8 skylakeX-1x2:8); do
        query "${node%:*}" '
            local validated = 0
            for _, m in each { pattern = "strided_access", class = "exact" } do
                check(m.verdict == "validated" and worst(m) <= 0.5, m.code .. " " .. m.metric .. ": " .. m.verdict)
                check(m.resolution.factor_up < 1.01 and m.resolution.factor_down > 0.99, m.metric)
                validated = validated + 1
            end
            check(validated == '"${node#*:}"', validated)'
    done
}

@test "memory volumes by direction are skipped with the reason if channels count both together, and nothing else is skipped" {
    query "zen3-1x4" '
        for _, m in each { verdict = "skipped" } do
            check(m.reason:find "reads and writes together", m.reason)
        end'
}

# lines CODE STRIDE: lines into L1, by LIKWID's own group, of 4 passes over 8192 elements that L1 does not hold.
lines() {
    "$assay" vnode -- likwid-perfctr -O -C 0 -g L2 -m "$build/patterns/strided_access" -c 0 r "$1" 8192 "$2" 4 2>/dev/null |
        sed -n 's/^L1D_REPLACEMENT,PMC0,\([0-9]*\).*/\1/p'
}

@test "the same elements, one per line, use eight times the lines; a region's other lines are fewer than 200" {
    local strided unit
    strided=$(lines strided 8)
    unit=$(lines unit 1)
    echo "strided $strided, unit $unit"
    [ "$strided" -ge $((4 * 8192)) ]
    [ "$strided" -lt $((4 * 8192 + 200)) ]
    [ "$unit" -ge $((4 * 8192 / 8)) ]
    [ "$unit" -lt $((4 * 8192 / 8 + 200)) ]
}

@test "elements that end within a line are refused" {
    fails_with 1 "give a multiple of 8" "$build/patterns/strided_access" -c 0 r strided 100 8 1
}
