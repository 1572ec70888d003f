-- rows.lua - counts of events and concepts per pass of a probe's point: slopes over the number of passes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A region makes `offset + slope * times` of whatever can be counted, so that what measuring costs, and what a region begins and ends with,
-- is in the offset. Slopes are least squares, of an event over its counts and of a concept over what is known of the regions.
local lists = require "input.lists"
local regression = require "numeric.regression"
local stats = require "numeric.stats"

local rows = {}

-- A slope may be off by so much of the instructions, and a region by so many of what is counted: the loop around the walks, and the Marker
-- API, whose way through its own tables depends on the regions before.
local OF_INSTRUCTIONS, OF_REGION = 2e-4, 100
rows.SOME = 10 -- slacks, from which on errors are told in %

-- Do all regions, or values, do the same? Then they are executions of it: noise only adds, and the least one has the least of it.
local function are_executions(list)
    return list[1].times == list[#list].times
end

-- { { times =, value = } .. } -> { slope =, offset =, r2 = |nil }; of executions of the same { slope = of the least, median =, offset = 0 }
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

-- What a sum of basic concepts, { [name] = weight }, makes in each time of the row: { min =, value =, max = }; false: that is not known.
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

-- How far a slope of the row may be off whatever is counted.
function rows.slack(row)
    local first, last = row.regions[1], row.regions[#row.regions]
    local instructions = rows.expected(row, { instructions = 1 })
    return OF_INSTRUCTIONS * (instructions and instructions.value or 0) + OF_REGION / math.max(1, last.times - first.times)
end

-- How far a count is outside of what is known, in % of the nearer end; nil where so little is known to be there that this says nothing.
function rows.off(count, known, slack)
    if known.min <= rows.SOME * slack then
        return nil
    end
    local nearest = math.max(known.min, math.min(known.max, count))
    return 100 * (count - nearest) / nearest
end

-- Of two errors, or nil, the larger one, whatever its sign.
function rows.worse(one, other)
    return (not one or other and math.abs(other) > math.abs(one)) and other or one
end

return rows
