-- noise.lua - measures how much an event's counts vary between repetitions, and how accurate their minimum and median are.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A repetition is the difference of two regions, whose true count is known (plan/repeats.lua). From k repetitions the smallest count, or
-- the median, of each region is taken. The smallest is right if noise only adds; the median is right under two-sided noise and rare
-- spikes (Barry et al., Effortless monitoring of arithmetic intensity, section on noise). The repetitions are cut into blocks of k. The
-- root mean square of the blocks' errors is reported: the error to expect from k repetitions.
local array = require "input.array"
local concepts = require "input.concepts"
local event_counts = require "events.read.event_counts"
local lists = require "input.lists"
local rows = require "events.judge.rows"
local stats = require "numeric.stats"

local noise = {}

local SIZES = { 1, 8, 64, 512 } -- repetitions in a block
local EXACT = 0.01 -- a row's true count must be known to this relative precision
local MANY = 5000 -- counts per repetition: one count more or less is then negligible
local LONG = 200000 -- instructions per repetition: the Marker API's own vary by up to a hundred per region, which is then negligible
local UNSTEADY_PCT = 1 -- standard deviation above which an event is repeated

local function times_of(row)
    return row.regions[#row.regions].times - row.regions[1].times
end

-- Is one row better for repetition than another? Preference: long rows, then more counts (up to MANY), then cheap ones.
local function is_better(one, other)
    if one.is_long ~= other.is_long then
        return one.is_long
    elseif one.made ~= other.made then
        return one.made > other.made
    end
    return one.cost < other.cost
end

-- The best of the rows with precisely known counts, by number; nil if there is none.
local function pick(plan, expected)
    local best = lists.best(lists.collect(plan.rows, function(row, i)
        local one = expected[i]
        if one and one.min > 0 and one.max - one.min <= EXACT * one.value then
            local instructions = rows.expected(row, { instructions = 1 }).value
            return { row = i, is_long = instructions * times_of(row) >= LONG, made = math.min(one.value * times_of(row), MANY),
                cost = instructions * row.regions[#row.regions].times }
        end
    end), is_better)
    return best and best.row
end

local function expected_of(argument, number)
    local finding = argument.findings and argument.findings[number]
    if finding then
        return finding.expected
    end
    local said = concepts.said_of(argument.said, argument.plan.events[number])
    return said and lists.map(argument.plan.rows, function(row) return rows.expected(row, said.terms) end)
end

-- Does the finding need repeats?
function noise.is_unsteady(finding)
    return finding.class == "random" or (finding.sd_pct or 0) > UNSTEADY_PCT
end

-- { plan =, said =, findings = events.judge.events.find(): choose the unsteady ones; nil: all events } -> array of { event = its
-- number in the plan, row = number of the row to repeat, expected = counts per pass }. Events without a precisely known row are left
-- out.
function noise.choose(argument)
    return array(lists.collect(argument.plan.events, function(event, number)
        local finding = argument.findings and argument.findings[number]
        local is_wanted = not argument.findings or noise.is_unsteady(finding)
        local expected = is_wanted and #event.counters > 0 and not event.reason and expected_of(argument, number)
        local row = expected and pick(argument.plan, expected)
        return row and { event = number, row = row, expected = expected[row].value } or nil
    end))
end

-- take(counts) of the block of `size` counts that ends at index `last`.
local function of_block(counts, last, size, take)
    return take(table.move(counts, last - size + 1, last, 1, {}))
end

local function least(values)
    return (stats.range(values))
end

-- Root mean square error of the blocks in %.
local function error_of(small, large, expected, size, take)
    local squares = {}
    for last = size, #large, size do
        local made = of_block(large, last, size, take) - of_block(small, last, size, take)
        squares[#squares + 1] = (100 * (made - expected) / expected) ^ 2
    end
    return math.sqrt(stats.mean(squares))
end

-- Counts of both regions by repetition; nil and the reason if there are none.
local function counts_of(argument, look)
    local job, event, once = argument.plan.jobs[look.job], argument.plan.events[look.event], { results = argument.results, reps = 1 }
    local run, small, large = event_counts.run_of(job, event), {}, {}
    for _, pair in ipairs(look.repetitions) do
        for i, counts in ipairs { small, large } do
            local values, why = event_counts.read(once, job, run, event, pair[i])
            if not values then
                return nil, why
            end
            counts[#counts + 1] = values[1]
        end
    end
    return small, large
end

local function find_one(argument, look)
    local event, row = argument.plan.events[look.event], argument.plan.rows[look.row]
    local found = { event = event.event, options = event.options, row = row.title, times = array { row.regions[1].times,
        row.regions[#row.regions].times } }
    local small, large = counts_of(argument, look)
    if not small then
        found.reason = large
        return found
    end
    local expected = look.expected * times_of(row)
    local made = lists.map(large, function(count, i) return count - small[i] end)
    found.repetitions, found.expected, found.mean, found.sd = #made, expected, stats.mean(made), stats.deviation(made)
    found.mean_error_pct, found.sd_pct = 100 * (found.mean - expected) / expected, 100 * found.sd / expected
    found.blocks = array(lists.collect(SIZES, function(size)
        return size <= #made and { size = size, least_pct = error_of(small, large, expected, size, least),
            median_pct = error_of(small, large, expected, size, stats.median) }
    end))
    return found
end

-- { plan = with repeats, results = } -> array of { event =, options =, row = title, times = of the two regions, reason = |nil, or
-- repetitions = number, expected =, mean =, sd = of single counts, mean_error_pct =, sd_pct =, blocks = array of { size =, least_pct
-- =, median_pct = root mean square error of the least and of the median of a block } }
function noise.find(argument)
    return array(lists.map(argument.plan.repeats, function(look) return find_one(argument, look) end))
end

return noise
