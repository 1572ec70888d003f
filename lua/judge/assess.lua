-- assess.lua - from the results of all runs to the record's samples and metrics.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- assess.all{ machine =, node =, kernels =, groups =, patterns =, plans = (of the patterns), results = { [run's id] = result }, reps =,
--   calibrate = take the cost of measuring off, virtual = the node is, matrix = judge signatures } -> { samples =, metrics = (plan.lua),
--   counts = (counts.lua), blame = (blame.lua), findings = (recomputed.lua), unjudged = (input/coverage.lua), matrix = (matrix.lua) |nil }
--   result  { regions = csv_read() result|nil, why = |nil, not_counted = { [counter] = reason } }
local array = require "input.array"
local beside = require "plan.beside"
local blame = require "judge.blame"
local boxes = require "plan.boxes"
local calibrate = require "read.calibrate"
local coverage = require "input.coverage"
local counts = require "read.counts"
local judge = require "judge.judge"
local matrix = require "judge.matrix"
local reader = require "read.samples"
local recomputed = require "judge.recomputed"

local assess = {}

-- Counters that the node did not count have no value, whatever LIKWID printed for them.
local function remove_not_counted(result)
    for _, rows in pairs(result.regions) do
        for _, row in ipairs(rows) do
            for counter in pairs(result.not_counted or {}) do
                row.counts[counter] = nil
                row.absent[counter] = "not modelled"
            end
        end
    end
end

-- Samples of the result with that id, or those that it should have given, with the reason why there are none.
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

-- The virtual node's own truth beside each value: what the same run gives without faults.
local function add_truth(samples, truth)
    for i, sample in ipairs(samples) do
        sample.simulated = truth[i].measured
    end
end

local function samples_of_run(argument, job, run, rep, costs)
    local context = { machine = argument.machine, node = argument.node, kernels = argument.kernels, fitted = argument.fitted,
        results = argument.results, job = job, run = run, rep = rep }
    local id, clean = beside.run_id(job, run, rep), beside.run_id(job, run, 1, "clean")
    local samples = read(context, id, costs)
    local entries = counts.read(context)
    if argument.virtual then
        add_truth(samples, argument.results[clean] and read(context, clean, costs) or samples)
    end
    return samples, entries
end

local function samples_of_plan(argument, plan, entries, own_values)
    local all = array()
    for _, job in ipairs(plan.jobs) do
        for _, run in ipairs(job.runs) do
            local costs = argument.calibrate and calibrate.of_run(job, run, argument.results, argument.reps)
            for rep = 1, argument.reps do
                local samples, own = samples_of_run(argument, job, run, rep, costs)
                table.move(samples, 1, #samples, #all + 1, all)
                table.move(own, 1, #own, #entries + 1, entries)
                local result = argument.results[beside.run_id(job, run, rep)]
                recomputed.add(own_values, argument.fitted, run, result and result.regions)
            end
        end
    end
    return all
end

function assess.all(argument)
    local found, own_values = { samples = array(), metrics = array(), counts = array() }, {}
    found.unjudged = coverage.unjudged { machine = argument.machine, groups = argument.groups }
    for _, result in pairs(argument.results) do
        if result.regions then
            remove_not_counted(result)
        end
    end
    argument.fitted = boxes.fit_all(argument.groups, argument.machine, argument.node)
    for i, plan in ipairs(argument.plans) do
        local samples = samples_of_plan(argument, plan, found.counts, own_values)
        local metrics = judge.metrics { pattern = argument.patterns[i], machine = argument.machine, groups = argument.groups,
            samples = samples, skipped = plan.skipped, virtual = argument.virtual }
        table.move(samples, 1, #samples, #found.samples + 1, found.samples)
        table.move(metrics, 1, #metrics, #found.metrics + 1, found.metrics)
    end
    found.blame = blame.find { samples = found.samples, metrics = found.metrics, counts = found.counts, groups = argument.fitted,
        machine = argument.machine, node = argument.node }
    found.findings = recomputed.findings(own_values)
    found.matrix = argument.matrix and matrix.make { patterns = argument.patterns, plans = argument.plans, results = argument.results,
        counts = found.counts, machine = argument.machine, node = argument.node, groups = argument.fitted, reps = argument.reps,
        virtual = argument.virtual } or nil
    return found
end

return assess
