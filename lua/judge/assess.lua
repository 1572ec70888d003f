-- assess.lua - turns the results of all runs into the record's samples and metrics.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- assess.all{ machine =, node =, kernels =, groups =, patterns =, plans = (of the patterns), results = { [run id] = result }, reps =,
--   calibrate = bool: subtract the cost of measuring, virtual = bool: virtual node, matrix = bool: judge signatures, vendor = (input/
--   vendor.lua) |nil } -> { samples =,
--   metrics = (plan.lua), counts = (counts.lua), blame = (blame.lua), findings = (recomputed.lua), unjudged = (input/coverage.lua),
--   matrix = (matrix.lua) |nil }     result: { regions = csv_read() result|nil, why = |nil, not_counted = { [counter] = reason },
--   interface = what counted instead of LIKWID |nil }
local array = require "input.array"
local companions = require "plan.companions"
local blame = require "judge.blame"
local boxes = require "plan.boxes"
local calibrate = require "read.calibrate"
local coverage = require "input.coverage"
local counts = require "read.counts"
local judge = require "judge.judge"
local lists = require "input.lists"
local matrix = require "judge.matrix"
local reader = require "read.samples"
local recomputed = require "judge.recomputed"
local vendor = require "input.vendor"
local vocabulary = require "judge.vocabulary"
local witness = require "judge.witness"

local assess = {}

-- A counter that the node did not count has no value, even if LIKWID printed one.
local function remove_not_counted(result)
    for _, rows in pairs(result.regions) do
        for _, row in ipairs(rows) do
            for counter, why in pairs(result.not_counted or {}) do
                row.counts[counter] = nil
                row.absent[counter] = result.interface and "not counted: " .. why or "not modelled"
            end
        end
    end
end

-- Samples of the run with that id; without a result, the expected samples with the reason why they have no value.
local function read(context, id, costs)
    local result = context.results[id]
    if not result or not result.regions then
        context.why = result and result.why or "not run"
        return reader.failed(context)
    end
    context.why, context.regions = nil, result.regions
    if costs then
        context.regions = calibrate.subtract { run = context.run, regions = result.regions, costs = costs }
    end
    return reader.read(context)
end

-- Adds the virtual node's true value to each sample: the value of the same run without faults.
local function add_truth(samples, truth)
    for i, sample in ipairs(samples) do
        sample.simulated = truth[i].measured
    end
end

local function samples_of_run(argument, job, run, rep, costs)
    local context = { machine = argument.machine, node = argument.node, kernels = argument.kernels, fitted = argument.fitted,
        results = argument.results, job = job, run = run, rep = rep }
    local id, clean = companions.run_id(job, run, rep), companions.run_id(job, run, 1, "clean")
    local samples = read(context, id, costs)
    local entries = counts.read(context)
    if argument.virtual then
        add_truth(samples, argument.results[clean] and read(context, clean, costs) or samples)
    end
    return samples, entries
end

-- Results of plan number `index` of a prepared argument: { samples =, metrics =, counts =, decisive = samples that decided (judge.lua) }.
function assess.part(argument, index)
    local plan, part = argument.plans[index], { samples = array(), counts = array() }
    local disturbed = argument.disturbed and {}
    for job, run in companions.runs(plan) do
        local costs = argument.calibrate and calibrate.of_run(job, run, argument.results, argument.reps)
        for rep = 1, argument.reps do
            local samples, entries = samples_of_run(argument, job, run, rep, costs)
            table.move(samples, 1, #samples, #part.samples + 1, part.samples)
            table.move(entries, 1, #entries, #part.counts + 1, part.counts)
            for _, sample in ipairs(disturbed and argument.disturbed[companions.run_id(job, run, rep)] and samples or {}) do
                disturbed[sample] = true
            end
        end
    end
    part.metrics, part.decisive = judge.metrics { pattern = argument.patterns[index], machine = argument.machine, groups = argument.groups,
        samples = part.samples, skipped = plan.skipped, virtual = argument.virtual, node = argument.node,
        disturbed = disturbed, vendor = argument.vendor, shared = argument.shared }
    return part
end

-- Joins the parts of all plans and adds blame.
function assess.whole(argument, parts)
    local found = { samples = array(), metrics = array(), counts = array(), decisive = {} }
    for _, part in ipairs(parts) do
        for name, all in pairs(found) do
            table.move(part[name], 1, #part[name], #all + 1, all)
        end
    end
    found.blame = blame.find { samples = found.decisive, metrics = found.metrics, counts = found.counts, groups = argument.fitted,
        machine = argument.machine, node = argument.node }
    found.decisive = nil
    return found
end

-- Fits the groups to the node, removes counters that were not counted from the results, finds a noisy node's disturbed runs; done once.
local function prepare(argument)
    for _, result in pairs(argument.results) do
        if result.regions then
            remove_not_counted(result)
        end
    end
    argument.fitted = boxes.fit_all(argument.groups, argument.machine, argument.node)
    argument.vendor = vendor.by_event(argument.vendor)
    argument.shared = {}
    local is_noisy = not argument.virtual or argument.node.noise ~= nil -- something else runs on it, as on every real node
    argument.disturbed = is_noisy and lists.set(witness.disturbed(argument)) or nil
end

-- Metrics for which LIKWID prints another value than its formula gives, then ghost boxes of the census.
local function findings(argument)
    local own = {}
    for _, plan in ipairs(argument.plans) do
        for job, run in companions.runs(plan) do
            for rep = 1, argument.reps do
                local result = argument.results[companions.run_id(job, run, rep)]
                recomputed.add(own, argument.fitted, run, result and result.regions, argument.node)
            end
        end
    end
    return lists.append(recomputed.findings(own), argument.node.ghosts or {}, function(text)
        return { finding = vocabulary.FINDINGS[2], text = text }
    end)
end

function assess.all(argument)
    prepare(argument)
    local parts = lists.map(argument.plans, function(_, index) return assess.part(argument, index) end)
    local found = assess.whole(argument, parts)
    found.unjudged = coverage.unjudged { machine = argument.machine, groups = argument.groups }
    found.findings = findings(argument)
    found.boxes = boxes.list(argument.machine, argument.node)
    found.matrix = argument.matrix and matrix.make { patterns = argument.patterns, plans = argument.plans, results = argument.results,
        counts = found.counts, machine = argument.machine, node = argument.node, groups = argument.fitted, reps = argument.reps,
        virtual = argument.virtual, disturbed = argument.disturbed } or nil
    return found
end

return assess
