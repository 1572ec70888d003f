#!/usr/bin/env bats
# Pattern latency_bound on virtual nodes of each architecture: levels that serve the loads, and address translations.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="latency_bound --quick"

# A small core complex stands for Zen 3, because only lists of 128 MiB exceed its full L3.
nodes="skylakeX-1x2 haswellEP-1x2 broadwellEP-1x2 zen3_mid"

# bats test_tags=architectures
@test "latency_bound: every quantity is exact within 0.5 %, with a resolution below 1 %" {
    on_each "$nodes" '
        local validated = {}
        for _, m in each { pattern = "latency_bound" } do
            if m.verdict ~= "skipped" then
                check(m.class == "exact" and worst(m) <= 0.5, m.code .. " " .. m.metric)
                check(m.verdict ~= "validated" or m.resolution.factor_up < 1.01 and m.resolution.factor_down > 0.99, m.metric)
                validated[m.metric] = validated[m.metric] or m.verdict == "validated"
            end
        end
        local count = 0
        for _, is_seen in pairs(validated) do
            count = count + (is_seen and 1 or 0)
        end
        check(count >= (record.node.arch == "zen3" and 6 or 9), count)'
}

# bats test_tags=architectures
@test "latency_bound: a list through all pages and lists through blocks are at least three times apart" {
    on_each "${nodes% zen3_mid}" '
        local t = one { code = "random", metric = "Loads past L2 per instruction" }.threshold
        check(t.margin >= 3 and t.present_is == "above" and t.value < t.present.min and t.value > t.absent.max, t.margin)'
}

# bats test_tags=architectures
@test "latency_bound: loads by level add up to the links, on architectures that count L1 hits" {
    on_each "${nodes% zen3_mid}" '
        local links = { ["random.S0.1.p06"] = 576 * 32 * 32, ["random.S0.1.p08"] = 4096 * 32 * 6, ["blocked.S0.1.p12"] = 8192 * 32 * 8 }
        local levels = { ["Loads from L1"] = 1, ["Loads from L2"] = 1, ["Loads from L3"] = 1, ["Loads past L3"] = 1 }
        local sums = {}
        for _, s in ipairs(record.samples) do
            if links[s.point] and levels[s.metric] then
                sums[s.point] = (sums[s.point] or 0) + s.measured
            end
        end
        for point, expected in pairs(links) do
            check(sums[point] >= expected and sums[point] <= 1.005 * expected, point)
        end'
}

# bats test_tags=architectures
@test "latency_bound: in large pages the same list has the same loads, and a few walks instead of one per link" {
    on_each "${nodes% zen3_mid}" '
        local sums = {}
        for _, s in ipairs(record.samples) do
            local key = s.point .. " " .. s.metric
            sums[key] = s.measured
        end
        local walks, past = "Page walks of loads", "Loads past L2"
        check(sums["large.S0.1.p19 " .. walks] <= 40 and sums["random.S0.1.p08 " .. walks] >= 4096 * 32 * 6, "walks")
        check(near(sums["large.S0.1.p19 " .. past], 8192 * 32 * 4, 0.005), "loads")'
}

# bats test_tags=architectures
@test "latency_bound: a link to another large page is a hit of the second level on all architectures" {
    on_each "$nodes" '
        local found = 0
        for _, m in each { code = "large_apart", class = "exact" } do
            found = found + (m.metric:find "^Second%-level TLB hits" and m.verdict == "validated" and 1 or 0)
        end
        check(found == 1, found)'
}

# bats test_tags=long
@test "latency_bound: what Zen 3 cannot count is skipped with the reason" {
    query zen3_mid 'check(one { verdict = "skipped", pattern = "latency_bound" }.reason:find "no event counts the loads that hit", "L1")'
}

@test "latency_bound: a number of pages that is not a multiple of a block is refused" {
    fails_with 1 "give a multiple" "$build/patterns/latency_bound" -c 0 r blocked 10 4 1
}
