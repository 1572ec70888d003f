-- rows.lua - counts of events and concepts per pass of a probe's point: slopes over the number of passes (`times`).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A region counts `offset + slope * times`. The cost of measuring and of entering and leaving the region is in the offset. Slopes are
-- least squares: an event's over its counts, a concept's over the known counts of the regions.
local lists = require "input.lists"
local regression = require "numeric.regression"
local stats = require "numeric.stats"

local rows = {}

-- Tolerance of a slope, relative to instructions, and of a region in counts: for the loop around the walks and the Marker API, whose path
-- through its own tables depends on the previous regions.
local OF_INSTRUCTIONS, OF_REGION = 2e-4, 100
rows.SOME = 10 -- slacks above which errors are given in %

-- Do all regions or values have the same `times`? Then they are repeated executions: noise only adds, so the least value has the least of
-- it.
local function are_executions(list)
    return list[1].times == list[#list].times
end

-- { { times =, value = } .. } -> { slope =, offset =, r2 = |nil }; for repeated executions { slope = least value, median =, offset = 0 }
function rows.fit(values)
    if are_executions(values) then
        local times = values[1].times
        local counts = lists.map(values, "value")
        return { slope = stats.range(counts) / times, median = stats.median(counts) / times, offset = 0 }
    end
    local list = lists.map(values, function(one) return { x = one.times, y = one.value, weight = 1 } end)
    local line = regression.line(list)
    return { slope = line.factor, offset = line.offset, r2 = regression.r2(list, line) }
end

-- Count per pass of the row for a sum of basic concepts { [name] = weight }: { min =, value =, max = }; false if unknown.
function rows.expected(row, terms)
    local values, freedom = {}, 0
    for i, region in ipairs(row.regions) do
        local value, width = 0, 0
        for name, weight in pairs(terms) do
            local one = region.counts[name]
            if one == false then
                return false
            elseif one then
                value, width = value + weight * one.value, width + math.abs(weight) * (one.max - one.min) / 2
            end
        end
        values[i], freedom = { times = region.times, value = value }, math.max(freedom, width)
    end
    local slope = rows.fit(values).slope
    local reach = are_executions(values) and freedom or 2 * freedom / (values[#values].times - values[1].times)
    return { min = slope - reach, value = slope, max = slope + reach }
end

-- Absolute tolerance of a slope in the row, for any event.
function rows.slack(row)
    local first, last = row.regions[1], row.regions[#row.regions]
    local instructions = rows.expected(row, { instructions = 1 })
    return OF_INSTRUCTIONS * (instructions and instructions.value or 0) + OF_REGION / math.max(1, last.times - first.times)
end

-- Distance of a count from its known interval in % of the nearer end; nil if the known count is too small for a percentage.
function rows.off(count, known, slack)
    if known.min <= rows.SOME * slack then
        return nil
    end
    local nearest = math.max(known.min, math.min(known.max, count))
    return 100 * (count - nearest) / nearest
end

-- The error with the larger absolute value; either may be nil.
function rows.worse(one, other)
    return (not one or other and math.abs(other) > math.abs(one)) and other or one
end

return rows
