#!/usr/bin/env bats
# The suite's patterns on virtual Zen 3 nodes: core complexes, a merged event for FLOPs, one direction of traffic, four counters for eight
# channels.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

campaigns=(
    [counts]="avx_flops long_latency load_imbalance false_sharing line_sharing --node virtual:zen3-1x4 --quick"
    [levels]="bandwidth_saturation --only load,copy,copy_nt,triad --node virtual:tests/nodes/zen3_mid.lua --quick"
)

# bats test_tags=long
@test "every quantity is validated, untested where only 0 is expected, or skipped with a reason; false_sharing need only be exact" {
    for record in counts levels; do
        query $record '
            local validated, free = 0, { false_sharing = true }
            for _, m in each {} do
                if m.verdict == "skipped" then
                    check(#m.reason > 20, ("%s %s: %s"):format(m.pattern, m.metric, m.reason))
                else
                    -- too few lines for a verdict: with the data in a cache
                    local is_little = m.class == "exact" and m.level ~= "MEM" and m.metric:find "^DRAM channels"
                    check(good(m, free) or is_little, ("%s %s %s in %s, %s, %s: %s"):format(m.pattern, m.code, m.metric, m.level, m.class, m.reason, m.verdict))
                    validated = validated + (m.verdict == "validated" and 1 or 0)
                end
            end
            check(validated >= 30, validated)'
    done
}

# bats test_tags=long
@test "FLOPs of every width and precision are counted together" {
    query counts '
        local count = 0
        for _, m in each { pattern = "avx_flops", metric = "FLOPs" } do
            check(m.verdict == "validated" and m.measured.max > 0, m.code)
            count = count + 1
        end
        check(count == 30, count)'
}

# bats test_tags=long
@test "evictions have no event and are skipped with the reason" {
    query levels '
        local found = {}
        for _, m in each {} do
            check(m.metric == nil or not m.metric:find "evict" or m.verdict == "skipped", m.metric)
            if m.verdict == "skipped" then
                found[m.reason] = true
            end
        end
        local texts = {}
        for reason in pairs(found) do
            texts[#texts + 1] = reason
        end
        local all = table.concat(texts, "; ")
        check(all:find "L1 data cache writes back", all)
        check(all:find "lines that L2 gives to L3", all)'
}

@test "zen3-1x16 has two core complexes with an L3 each" {
    run --separate-stderr "$assay" vnode --node zen3-1x16 -- likwid-topology
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c 'Cache groups:.*( 0 1 2 3 4 5 6 7 ) ( 8 9 10 11 12 13 14 15 )' <<<"$output")" -eq 1 ]
}

# bats test_tags=long
@test "with NPS4 groups of single channels are skipped with the reason, and a core's memory reads are judged" {
    "$assay" validate bandwidth_saturation --quick --only load --level MEM --placement S0:1 --reps 1 --node "virtual:$root/tests/nodes/zen3_nps4.lua" \
        --out nps4.json
    [ "$(jq -r '.node.numa_per_socket' nps4.json)" -eq 4 ]
    jq -r '.metrics[] | select(.verdict == "skipped") | .reason' nps4.json |
        grep -F "(ASSAY_MEM1): right only where a socket is one NUMA domain, not 4 (NPS4)"
    jq -r '.metrics[] | .group + " " + .verdict' nps4.json >judged
    grep -x "ASSAY_CORE_MEM validated" judged
    refute grep "ASSAY_MEM. [^s]" judged
}
