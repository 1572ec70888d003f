-- noisy.lua - judges a kept campaign of a virtual node again, with counts as a noisy native node would show them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- noisy.judge{ kept = what tests/replay/keep.lua wrote, reps = 10, seed = 1, change = function(count, at) -> count, again = 2 } ->
-- Result of assess.all(), as a native node's, with `again` = number of runs that were measured again: disturbed ones are, up to `again`
-- times, as in a campaign. Each repetition is the kept one with changed counts.
--   at  { event =, counter =, is_uncore =, is_walk = does it count page walks, run = key of the repetition's run, region =, thread =,
--         seconds = of the region, normal(), unit(), once(key, what) = what() of the first call with that key in this campaign }
local assess = require "judge.assess"
local companions = require "plan.companions"
local group_file = require "input.group"
local lists = require "input.lists"
local node_noise = require "node_noise"
local pack = require "plan.pack"
local synthetic = require "synthetic"
local units = require "plan.units"
local vocabulary = require "judge.vocabulary"
local witness = require "judge.witness"

local noisy = {}

local REPS, AGAIN = 10, 2

-- Set of the events that count page walks.
local function walks_of(kept)
    local events = {}
    for _, entry in ipairs(kept.machine.traffic) do
        local group = entry.quantity == "page walks" and kept.groups[entry.group]
        for _, event in ipairs(group and group_file.events_of(group, group_file.metric(group, entry.metric)) or {}) do
            events[event.event] = true
        end
    end
    return events
end

-- A run's counters: array of { event =, counter =, name = in its results, is_uncore =, is_walk =, shown_by = { [cpu] = true } }. LIKWID
-- shows what a box counts at the first of its threads, and 0 at the others.
local function counters_of(kept, job, run, walks)
    local counters = {}
    for i, event in ipairs(run.events) do
        local _, _, box = pack.locate(kept.machine, event.counter)
        local scope, shown_by = box.shared_by or box.boxes and "socket" or "core", {}
        for _, unit in ipairs(units.of(kept.node, scope, job.cpus)) do
            shown_by[unit.cpu] = true
        end
        counters[i] = { event = event.event, counter = event.counter, name = group_file.with_options(event.counter, event.options),
            is_uncore = scope ~= "core", is_walk = walks[event.event] == true, shown_by = shown_by }
    end
    return counters
end

local function changed_row(row, counters, change, at)
    local own = setmetatable({ counts = {}, absent = row.absent or {}, metrics = {} }, { __index = row }) -- not LIKWID's values
    at.thread, at.seconds = row.cpu, row.seconds
    for _, counter in ipairs(counters) do
        local count = row.counts and row.counts[counter.name]
        at.event, at.counter, at.is_uncore, at.is_walk = counter.event, counter.counter, counter.is_uncore, counter.is_walk
        own.counts[counter.name] = count and (counter.shown_by[row.cpu] and math.max(0, math.floor(change(count, at) + 0.5)) or count)
    end
    return own
end

local function repetition(result, counters, change, at)
    local own = setmetatable({ regions = {} }, { __index = result })
    for _, region in ipairs(lists.sorted(result.regions or {})) do -- in an order that is the same in each process
        own.regions[region], at.region = {}, region
        for i, row in ipairs(result.regions[region]) do
            own.regions[region][i] = changed_row(row, counters, change, at)
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
    local reps, at, results, runs, walks = of.reps or REPS, context(of.seed or 1), {}, {}, walks_of(of.kept)
    local function measure(id, time)
        local one = runs[id]
        at.run = id .. "/" .. time
        results[id] = repetition(one.result, one.counters, of.change, at)
    end
    each_run(of.kept.plans, function(job, run)
        local counters = counters_of(of.kept, job, run, walks)
        for rep = 1, reps do
            local id = companions.run_id(job, run, rep)
            runs[id] = { counters = counters, result = of.kept.results[companions.run_id(job, run, 1)] }
            measure(id, 0)
        end
    end)
    local argument = setmetatable({ results = results, reps = reps, virtual = false }, { __index = of.kept })
    local again = 0
    for time = 1, of.again or AGAIN do
        for _, id in ipairs(witness.again(argument)) do
            measure(id, time)
            again = again + 1
        end
    end
    local found = assess.all(argument)
    found.again = again
    return found
end

local MOST = 2 ^ 52 -- of a seed

-- A table that numbers the names it is asked for, in the order of the first questions.
local function numbering()
    local last = 0
    return setmetatable({}, { __index = function(known, name)
        last = last + 1
        known[name] = last
        return last
    end })
end

-- A `change` for noisy.judge(): the noise of a virtual node at this level (vnode/pmu/noise.c).
function noisy.level(name)
    local numbers = numbering()
    return function(count, at)
        local seed = at.once("seed of " .. at.run, function() return math.floor(MOST * at.unit()) end)
        return node_noise.count { level = name, seed = seed, unit = at.is_uncore and "box" or at.counter:match "^FIXC" or "PMC",
            counter = numbers[at.counter], place = at.thread, interval = numbers[at.region], seconds = at.seconds,
            counted = count, per_walk = at.is_walk and 1 or 0 }
    end
end

-- A summary for comparing verdicts and blame: { metrics = { [identity] = metric }, blame = sorted lines without constants }. Constants of
-- blame have the noise in them.
function noisy.summary(found)
    local summary = { metrics = {}, blame = {} }
    for _, metric in ipairs(found.metrics) do
        summary.metrics[vocabulary.identity(metric)] = metric
    end
    for i, entry in ipairs(found.blame) do
        summary.blame[i] = entry.text:gsub("[%d.]+ %([%d.]+ .. [%d.]+%)", "#")
    end
    table.sort(summary.blame)
    return summary
end

local WRONG = { rejected = true, missing = true, correctable = true }

-- Sorted identities of a summary's wrong metrics.
function noisy.wrong(summary)
    return lists.filter(lists.sorted(summary.metrics), function(id) return WRONG[summary.metrics[id].verdict] end)
end

-- Summaries without and with noise -> { validated = number without noise, kept = of these, with noise; wrong = text of each metric that
-- only noise makes wrong; blame = lines that only noise gives }.
function noisy.compare(clean, found)
    local result = { validated = 0, kept = 0, wrong = {}, blame = {} }
    for _, id in ipairs(lists.sorted(clean.metrics)) do
        local before, now = clean.metrics[id].verdict, found.metrics[id].verdict
        if before == "validated" then
            result.validated, result.kept = result.validated + 1, result.kept + (now == "validated" and 1 or 0)
        end
        if WRONG[now] and not WRONG[before] then
            table.insert(result.wrong, ("%s: %s: %s"):format(id, now, found.metrics[id].reason or ""))
        end
    end
    local known = lists.set(clean.blame)
    result.blame = lists.filter(found.blame, function(line) return not known[line] end)
    return result
end

return noisy
