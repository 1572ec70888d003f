-- noisy.lua - judges a kept campaign of a virtual node again, with counts as a noisy native node would show them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- noisy.judge{ kept = what tests/replay/keep.lua wrote, reps = 10, seed = 1, change = function(count, at) -> count, again = 2 } ->
-- assess.all's result, as a native node's, with `again` = number of runs that were measured again: disturbed ones are, up to `again`
-- times, as in a campaign. Each repetition is the kept one with changed counts.
--   at  { event =, counter =, is_uncore =, run = key of the repetition's run, region =, thread =, seconds = of the region, normal(),
--         unit(), once(key, what) = what() of the first call with that key in this campaign }
local assess = require "judge.assess"
local companions = require "plan.companions"
local group_file = require "input.group"
local synthetic = require "synthetic"
local witness = require "judge.witness"

local noisy = {}

local REPS, AGAIN = 10, 2

local function changed_row(row, run, change, at)
    local own = setmetatable({ counts = {}, absent = row.absent or {} }, { __index = row })
    at.thread, at.seconds = row.cpu, row.seconds
    for _, event in ipairs(run.events) do
        local name = group_file.with_options(event.counter, event.options)
        local count = row.counts and row.counts[name]
        at.event, at.counter, at.is_uncore = event.event, event.counter, not event.counter:find "^FIXC" and not event.counter:find "^PMC"
        own.counts[name] = count and math.max(0, math.floor(change(count, at) + 0.5))
    end
    return own
end

local function repetition(result, run, change, at)
    local own = setmetatable({ regions = {} }, { __index = result })
    for region, rows in pairs(result.regions or {}) do
        own.regions[region], at.region = {}, region
        for i, row in ipairs(rows) do
            own.regions[region][i] = changed_row(row, run, change, at)
        end
    end
    return own
end

-- A generator per campaign; `once` draws what events of one run share.
local function context(seed)
    local random, drawn = synthetic.random(seed), {}
    return { normal = random.normal, unit = random.unit, once = function(key, what)
        drawn[key] = drawn[key] or what()
        return drawn[key]
    end }
end

local function each_run(plans, visit)
    for _, plan in ipairs(plans) do
        for job, run in companions.runs(plan) do
            visit(job, run)
        end
    end
end

function noisy.judge(of)
    local reps, at, results, runs = of.reps or REPS, context(of.seed or 1), {}, {}
    local function measure(id, time)
        local one = runs[id]
        at.run = id .. "/" .. time
        results[id] = repetition(one.result, one.run, of.change, at)
    end
    each_run(of.kept.plans, function(job, run)
        for rep = 1, reps do
            local id = companions.run_id(job, run, rep)
            runs[id] = { run = run, result = of.kept.results[companions.run_id(job, run, 1)] }
            measure(id, 0)
        end
    end)
    local argument = setmetatable({ results = results, reps = reps, virtual = false }, { __index = of.kept })
    local again = 0
    for time = 1, of.again or AGAIN do
        for _, id in ipairs(witness.disturbed(argument)) do
            measure(id, time)
            again = again + 1
        end
    end
    local found = assess.all(argument)
    found.again = again
    return found
end

-- The noise of a virtual node, as vnode/pmu/noise.c has it.
local LEVELS = {
    quiet = { core = 1e-4, box = 1e-3, timer = 250, traffic = 2e2, burst = 0.15, bursts = 0.02, preempted = 0.025, preemptions = 0.02 },
    busy = { core = 5e-4, box = 5e-3, timer = 1000, traffic = 2e3, burst = 0.15, bursts = 0.1, preempted = 0.025, preemptions = 0.1 },
}

-- A `change` of noisy.judge.
function noisy.level(name)
    local level = LEVELS[name]
    return function(count, at)
        local place = at.is_uncore and "" or at.thread
        local is_raised = at.once(("%s %s"):format(at.run, place), function()
            return { at.unit() < (at.is_uncore and level.bursts or level.preemptions) }
        end)[1]
        local share = (at.is_uncore and level.box or level.core) * at.normal()
            + (is_raised and (at.is_uncore and level.burst or level.preempted) or 0)
        local rate = at.is_uncore and level.traffic or at.counter:find "^FIXC" and level.timer or 0
        return count * (1 + share) - rate * at.seconds * math.log(1 - at.unit())
    end
end

-- { [verdict] = number of metrics }, and the identities of validated ones.
function noisy.verdicts(found)
    local vocabulary = require "judge.vocabulary"
    local counts, validated = {}, {}
    for _, metric in ipairs(found.metrics) do
        counts[metric.verdict] = (counts[metric.verdict] or 0) + 1
        validated[vocabulary.identity(metric)] = metric.verdict == "validated" or nil
    end
    return counts, validated
end

return noisy
