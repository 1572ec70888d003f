-- calibrate.lua - the cost of measuring in each event: found in an empty region, subtracted from other regions on request.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An empty region counts what happens between the reads at its start and stop. The median over calls and threads is the cost of every
-- region: disturbances only add counts, and the median tolerates them in half of the calls. Costs are subtracted from raw counts.
local array = require "input.array"
local lists = require "input.lists"
local companions = require "plan.companions"
local stats = require "numeric.stats"

local calibrate = {}

local function collect(argument, counter)
    local values = {}
    for _, regions in ipairs(argument.results) do
        for _, row in ipairs(regions[argument.region] or {}) do
            local count = row.counts and row.counts[counter]
            if count and count >= 0 and (row.calls or 1) > 0 then
                values[#values + 1] = count / (row.calls or 1)
            end
        end
    end
    return values
end

-- { run = a job's run (plan.lua), region = name of the empty region, results = array of csv_read() results, one per repetition } -> array
-- of { event =, counter =, options =, n =, cost = { min =, avg =, max =, median =, sd = } |nil (no value) }, per call of the region.
function calibrate.costs(argument)
    local costs = array()
    for i, event in ipairs(argument.run.events) do
        local values = collect(argument, event.counter)
        costs[i] =
            { event = event.event, counter = event.counter, options = event.options, n = #values, cost = stats.summary(values) }
    end
    return costs
end

-- The costs of one run of a job, from its empty companion regions. Each has read = count that one read of all counters of the run adds
-- (from a region with READS reads) |nil.
function calibrate.of_run(job, run, results, reps)
    local measured = {}
    for rep = 1, reps do
        local result = results[companions.run_id(job, run, rep, "empty")]
        measured[#measured + 1] = result and result.regions or nil
    end
    local costs = calibrate.costs { run = run, region = companions.REGION, results = measured }
    local reads = calibrate.costs { run = run, region = companions.READS_REGION, results = measured }
    for i, one in ipairs(costs) do
        local more = reads[i].cost
        one.read = one.cost and more and (more.median - one.cost.median) / companions.READS
    end
    return costs
end

-- The key of a cost: an event costs the same on all counters of a core, but not on all uncore boxes (MBOX0C1: MBOX0).
local function key_of(event)
    local box = event.counter:match("^(%a+%d+)C%d+$") or event.counter:match("^%a+")
    return ("%s\t%s\t%s"):format(event.event, event.options or "", box)
end

local function without_cost(row, cost)
    local counts = {}
    for counter, count in pairs(row.counts) do
        local own = (cost[counter] or 0) * (row.calls or 1)
        counts[counter] = count >= 0 and math.max(0, count - own) or count -- a negative count is a wrap and must stay visible
    end
    local copy = lists.copy(row)
    copy.counts = counts
    return copy
end

-- { run =, regions = csv_read() result, costs = calibrate.costs of the same events } -> a copy of regions with costs
-- subtracted, not below 0. An event without a cost keeps its count.
function calibrate.subtract(argument)
    local by_event, cost, regions = {}, {}, {}
    for _, one in ipairs(argument.costs) do
        by_event[key_of(one)] = one.cost and one.cost.median
    end
    for _, event in ipairs(argument.run.events) do
        cost[event.counter] = by_event[key_of(event)]
    end
    for name, rows in pairs(argument.regions) do
        regions[name] = array()
        for i, row in ipairs(rows) do
            regions[name][i] = row.counts and without_cost(row, cost) or row
        end
    end
    return regions
end

return calibrate
