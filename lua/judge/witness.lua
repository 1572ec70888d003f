-- witness.lua - finds repetitions of runs that something disturbed: they are measured again, and not judged.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What disturbs a repetition on a noisy node (another program, a daemon, a preemption) raises several quantities of a region at once: the
-- counts of several events, the time, the run's involuntary context switches. A counter that is wrong at times raises its own event
-- only. So a repetition is disturbed if at least AGREE quantities of one region and thread are high; the other repetitions say what is
-- usual. Without a second quantity there is no witness, and repetitions.lua alone decides.
local array = require "input.array"
local companions = require "plan.companions"
local group_file = require "input.group"
local lists = require "input.lists"
local stats = require "numeric.stats"

local witness = {}

local AGREE = 2
local FEWEST = 3 -- repetitions that say what is usual
local SHARE, FAR = 0.02, 5 -- high: by this share, by FAR robust standard deviations, and by FAR of a count's own (Poisson)

-- Quantities of one row of a region: { [event, summed over its counters, or "time"] = value }.
local function quantities(run, row)
    local values = { time = row.seconds }
    for _, event in ipairs(run.events) do
        local count = row.counts and row.counts[group_file.with_options(event.counter, event.options)]
        values[event.event] = count and (values[event.event] or 0) + count or values[event.event]
    end
    return values
end

-- { [region and thread] = { [quantity] = { [repetition] = value } } }; context switches, of the whole run, are a quantity of each region.
local function collect(run, results, is_virtual)
    local found = {}
    for rep, result in pairs(results) do
        for region, rows in pairs(result.regions) do
            for _, row in ipairs(rows) do
                local key = region .. "\t" .. tostring(row.cpu)
                found[key] = found[key] or {}
                local values = quantities(run, row)
                values["context switches"] = not is_virtual and result.context_switches or nil -- a virtual node's are the host's
                for name, value in pairs(values) do
                    found[key][name] = found[key][name] or {}
                    found[key][name][rep] = value
                end
            end
        end
    end
    return found
end

-- The middle value and the standard deviation, by the values up to the middle: disturbances only raise values, so both tolerate up to half
-- of the values.
local function usual(values)
    local sorted = stats.sorted(values)
    local half = (#sorted + 1) // 2
    local below = lists.map(table.move(sorted, 1, half, 1, {}), function(value) return sorted[half] - value end)
    return sorted[half], stats.NORMAL_MAD * stats.median(below)
end

-- Adds 1 to high[repetition] for each value that is high.
local function note_high(high, name, by_rep)
    local values = {}
    for _, value in pairs(by_rep) do
        values[#values + 1] = value
    end
    if #values < FEWEST then
        return
    end
    local middle, sd = usual(values)
    local of_count = name == "time" and 0 or FAR * math.sqrt(middle + 1)
    local limit = middle + math.max(SHARE * middle, FAR * sd, of_count)
    for rep, value in pairs(by_rep) do
        high[rep] = (high[rep] or 0) + (value > limit and 1 or 0)
    end
end

-- Set of the disturbed ones of a run's repetitions, results = { [repetition] = result }.
local function disturbed_of(run, results, is_virtual)
    local found = {}
    for _, values in pairs(collect(run, results, is_virtual)) do
        local high = {}
        for name, by_rep in pairs(values) do
            note_high(high, name, by_rep)
        end
        for rep, count in pairs(high) do
            found[rep] = found[rep] or count >= AGREE or nil
        end
    end
    return found
end

-- Ids of the disturbed repetitions of a job's run. None if fewer than FEWEST others would be left: then no usual value is known.
local function ids_of(job, run, argument)
    local results, count = {}, 0
    for rep = 1, argument.reps do
        local result = argument.results[companions.run_id(job, run, rep)]
        results[rep] = result and result.regions and result or nil
        count = count + (results[rep] and 1 or 0)
    end
    local found = lists.sorted(disturbed_of(run, results, argument.virtual))
    return count - #found < FEWEST and {} or lists.collect(found, function(rep) return companions.run_id(job, run, rep) end)
end

-- { plans =, results =, reps =, virtual = bool: virtual node } (assess.lua) -> array of the ids of disturbed runs, in the plans' order.
function witness.disturbed(argument)
    local ids = array()
    for _, plan in ipairs(argument.plans) do
        for job, run in companions.runs(plan) do
            local own = ids_of(job, run, argument)
            table.move(own, 1, #own, #ids + 1, ids)
        end
    end
    return ids
end

return witness
