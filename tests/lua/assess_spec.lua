-- assess_spec.lua - from results to samples: jobs next to the planned ones, what was not counted, costs, and the node's own truth.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local assess = require "judge.assess"
local companions = require "plan.companions"
local fixture = require "fixture"

local function make_job()
    local quantity = { group = "G", metric = "Count", kind = "count", scope = "core", name = "count" }
    local amount = { min = 100, value = 100, max = 100, work = 100 }
    return {
        id = "p.S0:1.1", pattern = "p", placement = "S0:1", cpus = { 0 }, quantities = { quantity },
        points = { { region = "r", code = "c", expected = { Count = { ["0"] = amount } } } },
        runs = { { name = "RUN_1", events = { { event = "E", counter = "PMC0", options = "" } }, counters = { G = { PMC0 = "PMC0" } } } },
    }
end

local function result(region, count)
    return { regions = { [region] = { { cpu = 0, calls = 1, seconds = 1, counts = { PMC0 = count }, absent = {} } } } }
end

-- The samples of one job with these results, without the keys that the judgement adds.
local function samples_of(results, more)
    local judge = require "judge.judge"
    local metrics = judge.metrics
    judge.metrics = function() return {}, {} end
    local argument = { machine = fixture.machine(), node = fixture.node(), kernels = {}, patterns = { {} }, reps = 1, results = results,
        groups = { G = { name = "G", events = {}, metrics = { { name = "Count", formula = "PMC0" } } } },
        plans = { { jobs = { make_job() } } } }
    for key, value in pairs(more or {}) do
        argument[key] = value
    end
    local ok, found = pcall(assess.all, argument)
    judge.metrics = metrics
    assert(ok, found)
    return found.samples
end

describe("companion jobs", function()
    it("are empty regions on the same CPUs, and the same runs once on a clean node", function()
        local job = make_job()
        local empty, clean = companions.empty({ jobs = { job } })[1], companions.clean({ jobs = { job } })[1]
        assert.same({ id = "p.S0:1.1.empty", cpus = job.cpus, runs = job.runs, points = {}, empty = companions.REGION,
            reads = "readings=10" }, empty)
        assert.same({ "p.S0:1.1.clean", true, 1, job.points }, { clean.id, clean.clean, clean.reps, clean.points })
        assert.is_nil(job.clean)
        assert.equal("p.S0:1.1.clean/RUN_1/1", companions.run_id(job, job.runs[1], 1, "clean"))
        assert.equal(companions.run_id(clean, job.runs[1], 1), companions.run_id(job, job.runs[1], 1, "clean"))
        assert.equal(companions.run_id(empty, job.runs[1], 2), companions.run_id(job, job.runs[1], 2, "empty"))
    end)
end)

describe("assess", function()
    local ID = "p.S0:1.1/RUN_1/"

    it("reads each repetition; a run without a result says why", function()
        local samples = samples_of({ [ID .. 1] = result("r", 101), [ID .. 2] = { why = "killed" } }, { reps = 3 })
        assert.same({ 101, nil, nil }, { samples[1].measured, samples[2].measured, samples[3].measured })
        assert.same({ "run failed: killed", "run failed: not run" }, { samples[2].why, samples[3].why })
        assert.is_nil(samples[1].simulated)
    end)

    it("counters that the node does not count have no value", function()
        local one = result("r", 0)
        one.not_counted = { PMC0 = "0x1:0x2 unknown" }
        local samples = samples_of { [ID .. 1] = one }
        assert.is_nil(samples[1].measured)
        assert.equal("not modelled", samples[1].why)
    end)

    it("subtracts the cost of measuring", function()
        local results = { [ID .. 1] = result("r", 110), ["p.S0:1.1.empty/RUN_1/1"] = result(companions.REGION, 10) }
        assert.equal(100, samples_of(results, { calibrate = true })[1].measured)
        assert.equal(110, samples_of(results)[1].measured)
    end)

    it("takes a virtual node's true counts from the run, or from the clean node's run if there are faults", function()
        local results = { [ID .. 1] = result("r", 300) }
        assert.equal(300, samples_of(results, { virtual = true })[1].simulated)
        results["p.S0:1.1.clean/RUN_1/1"] = result("r", 100)
        local sample = samples_of(results, { virtual = true })[1]
        assert.same({ 300, 100 }, { sample.measured, sample.simulated })
    end)
end)
