-- explained.lua - cycles that events and unevenly distributed work cost, for the `explains` of patterns.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- `at` is a thread in a region (program/judge/diagnosis.lua). Intervals are { least, most }, in cycles.
local explained = {}

-- Cycles of so many events of a quantity (default: those counted); none if the machine does not show it.
function explained.cost(at, name, count)
    count = count or at.counts[name]
    local each = at.costs[name]
    if not each and at.counts[name] then
        error(("the cost of %s is not in pmu.costs"):format(name), 0)
    end
    return each and { count * each[1], count * each[2] } or { 0, 0 }
end

-- Cycles of all events of the named quantities.
function explained.costs(at, names)
    local sum = { 0, 0 }
    for _, name in ipairs(names) do
        local cycles = explained.cost(at, name)
        sum[1], sum[2] = sum[1] + cycles[1], sum[2] + cycles[2]
    end
    return sum
end

-- Part of the loads past L2 that went to a page which the first-level TLB did not have.
function explained.random_part(counts)
    local past = counts["loads past L2"]
    return past > 0 and math.min(1, (counts["second-level TLB hits"] + counts["page walks"]) / past) or 0
end

-- Part of the largest value by which the mean is less; nil without a value above 0, or if one is absent of `count` values.
function explained.uneven(values, count)
    local sum, most = 0, 0
    for _, value in ipairs(values) do
        sum, most = sum + value, math.max(most, value)
    end
    return #values == count and most > 0 and 1 - sum / count / most or nil
end

return explained
