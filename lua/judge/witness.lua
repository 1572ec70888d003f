-- witness.lua - finds repetitions of runs that something disturbed: they are measured again, and not judged.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What disturbs a repetition on a noisy node (another program, a daemon, a preemption) raises several quantities of a region at once: the
-- counts of several events, the time, the run's involuntary context switches. A counter that is wrong at times raises its own event
-- only. So a repetition is disturbed if at least AGREE quantities of one region and thread are high; the other repetitions give the
-- usual values. Without a second quantity there is no witness, and repetitions.lua alone decides.
--
-- If more than half of the repetitions are disturbed, the usual value is a disturbed one. But they still raise several quantities in the
-- same repetitions: if at least AGREE quantities fall into the same two groups, far apart, the higher group is measured again. No
-- more is concluded from the groups, because only new values can show which one is right.
local array = require "input.array"
local companions = require "plan.companions"
local group_file = require "input.group"
local lists = require "input.lists"
local stats = require "numeric.stats"

local witness = {}

local AGREE = 2
local FEWEST = 3 -- repetitions needed for a usual value
local LOWER = 0.2 -- share of the repetitions in the lower of two groups: fewer may be low by chance
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
                local own = lists.bin(found, region .. "\t" .. tostring(row.cpu), {})
                local values = quantities(run, row)
                values["context switches"] = not is_virtual and result.context_switches or nil -- a virtual node's are the host's
                for name, value in pairs(values) do
                    lists.bin(own, name, {})[rep] = value
                end
            end
        end
    end
    return found
end

-- The median and the standard deviation, by the values up to the median: disturbances only raise values, so both tolerate up to half
-- of the values.
local function usual(values)
    local sorted = stats.sorted(values)
    local half = (#sorted + 1) // 2
    local below = lists.map(table.move(sorted, 1, half, 1, {}), function(value) return sorted[half] - value end)
    return sorted[half], stats.NORMAL_MAD * stats.median(below)
end

-- The least by which a quantity is above its usual value, by its size and its spread. Time is no count.
local function least_above(name, value, sd)
    return math.max(SHARE * value, FAR * sd, name == "time" and 0 or FAR * math.sqrt(value + 1))
end

-- Adds 1 to high[repetition] for each value that is high.
local function note_high(high, name, by_rep)
    local values = lists.map(lists.sorted(by_rep), function(rep) return by_rep[rep] end)
    if #values < FEWEST then
        return
    end
    local middle, sd = usual(values)
    local limit = middle + least_above(name, middle, sd)
    for rep, value in pairs(by_rep) do
        high[rep] = (high[rep] or 0) + (value > limit and 1 or 0)
    end
end

-- The standard deviation within two groups of sorted values, the first of `low` values.
local function deviation_within(values, low)
    local sum = 0
    for first, last in pairs { [1] = low, [low + 1] = #values } do
        local mean = stats.mean(table.move(values, first, last, 1, {}))
        for i = first, last do
            sum = sum + (values[i] - mean) ^ 2
        end
    end
    return math.sqrt(sum / (#values - 2))
end

-- The index of the value below the widest gap of sorted values, with at least LOWER of them below it and more above; nil: too few values.
local function widest_gap(values)
    local low
    for i = math.ceil(LOWER * #values), (#values - 1) // 2 do
        if not low or values[i + 1] - values[i] > values[low + 1] - values[low] then
            low = i
        end
    end
    return low
end

-- The repetitions above the widest gap of a quantity, sorted; nil if they are not far above the others.
local function upper_group(name, by_rep)
    local reps = lists.sorted(by_rep, function(a, b) return by_rep[a] < by_rep[b] end)
    local values = lists.map(reps, function(rep) return by_rep[rep] end)
    local low = widest_gap(values)
    if not low or values[low + 1] - values[low] <= least_above(name, values[low], deviation_within(values, low)) then
        return nil
    end
    return stats.sorted(table.move(reps, low + 1, #reps, 1, {}))
end

-- Set of the repetitions that at least AGREE quantities of a region and thread have in their upper group.
local function majority_of(threads)
    local found = {}
    for _, values in pairs(threads) do
        local times = {}
        for name, by_rep in pairs(values) do
            local group = upper_group(name, by_rep) or {}
            local key = table.concat(group, " ")
            times[key] = (times[key] or 0) + 1
            for _, rep in ipairs(times[key] == AGREE and group or {}) do
                found[rep] = true
            end
        end
    end
    return found
end

-- Set of the repetitions that are high in at least AGREE quantities of a region and thread.
local function disturbed_of(threads)
    local found = {}
    for _, values in pairs(threads) do
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

-- The result of collect() for a job's run, and the number of its repetitions with results.
local function measured(job, run, argument)
    local results, count = {}, 0
    for rep = 1, argument.reps do
        local result = argument.results[companions.run_id(job, run, rep)]
        results[rep] = result and result.regions and result or nil
        count = count + (results[rep] and 1 or 0)
    end
    return collect(run, results, argument.virtual), count
end

-- The disturbed ones of `count` repetitions, sorted. None if fewer than FEWEST others would be left to judge.
local function rare_of(threads, count)
    local found = lists.sorted(disturbed_of(threads))
    return count - #found < FEWEST and {} or found
end

-- Repetitions to be measured again, sorted: also if fewer than FEWEST others are left, for example if each thread was disturbed in
-- different ones, and the higher ones where values form two groups.
local function again_of(threads)
    local found = majority_of(threads)
    for rep in pairs(disturbed_of(threads)) do
        found[rep] = true
    end
    return lists.sorted(found)
end

-- Array of the ids of the repetitions that reps_of gives, in the plans' order.
local function ids(argument, reps_of)
    local found = array()
    for _, plan in ipairs(argument.plans) do
        for job, run in companions.runs(plan) do
            lists.append(found, reps_of(measured(job, run, argument)), function(rep) return companions.run_id(job, run, rep) end)
        end
    end
    return found
end

-- { plans =, results =, reps =, virtual = bool: virtual node } (assess.lua) -> array of the ids of disturbed runs, in the plans' order.
function witness.disturbed(argument)
    return ids(argument, rare_of)
end

-- Like disturbed, but the ids of runs to measure again (again_of).
function witness.again(argument)
    return ids(argument, again_of)
end

return witness
