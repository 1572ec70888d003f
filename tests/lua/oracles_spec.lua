-- oracles_spec.lua - counts side by side, and the cost of measuring.
-- SPDX-License-Identifier: GPL-3.0-or-later
local calibrate = require "read.calibrate"
local judge = require "judge.judge"
local oracles = require "judge.oracles"
local renderer = require "report.text.oracles"

local function samples(simulated)
    local list = {}
    for i = 1, 3 do
        list[i] = {
            point = "p" .. i, measured = 102 * i, counted = 100 * i, simulated = simulated[i],
            expected = { min = 100 * i, value = 100 * i, max = 100 * i },
        }
    end
    list[4] = { point = "p4", why = "dash", counted = 1e9, expected = { min = 1, value = 1, max = 1 } }
    return list
end

describe("oracles", function()
    it("are means over the same samples, and absent where one sample lacks them", function()
        assert.same({ reported = 204, predicted = 200, counted = 200, simulated = 210 }, oracles.summary(samples { 105, 210, 315 }))
        assert.same({ reported = 204, predicted = 200, counted = 200 }, oracles.summary(samples { 105, nil, 315 }))
        assert.is_nil(oracles.summary { { measured = 1, expected = { min = 1, value = 1, max = 1 } } })
        assert.is_nil(oracles.summary {})
        assert.equal(210, judge.metric(samples { 105, 210, 315 }, { tolerance_pct = 5 }).oracles.simulated)
    end)

    it("are shown next to each other, with the difference of the reported count", function()
        local metric = { pattern = "streams", code = "load", level = "L2", placement = "S0:1", metric = "volume", unit = "GBytes",
            oracles = oracles.summary(samples {}) }
        metric.oracles.simulated = 0
        local text = renderer.render({ record = { metrics = { metric, { code = "other", metric = "x" } } } }).text
        assert.equal("code  reported  predicted      counted        simulated\n\nstreams: volume, data in L2, on S0:1\n"
            .. "load  204 GB    200 GB (+2 %)  200 GB (+2 %)  0 B\n", text)
        local long = { code = ("c"):rep(60), placement = "S0:1@S1:1", metric = ("m"):rep(60), oracles = { reported = 1e6, predicted = 3e6,
            counted = 3e6, simulated = 3e6 } }
        text = renderer.render({ record = { metrics = { long } } }).text
        local row = text:match("\n(" .. ("c"):rep(60) .. " [^\n]*)")
        assert.equal(3, select(2, row:gsub("3e%+06 %(%-66%.7 %%%)", "")))
        assert.is_truthy(text:find(("m"):rep(60) .. ", on S0:1@S1:1\n", 1, true))
        assert.equal("no metric of this record was counted in the code or simulated\n", renderer.render({ record = { metrics = {} } }).text)
    end)
end)

describe("calibrate", function()
    local run = {
        events = {
            { event = "LOADS", counter = "PMC0", options = "" }, { event = "READS", counter = "MBOX0C1", options = "" },
            { event = "READS", counter = "MBOX1C1", options = "" }, { event = "NONE", counter = "PMC1", options = "" },
        },
    }
    local function empty(loads, reads, calls)
        local row = { calls = calls, counts = { PMC0 = loads, MBOX0C1 = reads, MBOX1C1 = 0 } }
        return { empty = { row }, other = { { counts = { PMC0 = 7e7 } } } }
    end
    local costs = calibrate.costs { run = run, region = "empty", results = { empty(30, 4, 1), empty(90, 8, 3), empty(500, 6, 1) } }

    it("measures the cost of a call in each event", function()
        assert.equal("LOADS", costs[1].event)
        assert.equal(3, costs[1].n)
        assert.equal(30, costs[1].cost.median)
        assert.equal(500, costs[1].cost.max)
        assert.equal(4, costs[2].cost.median)
        assert.equal(0, costs[4].n)
        assert.is_nil(costs[4].cost)
    end)

    -- 10 readings in a region cost 530 - 30 = 500 loads more than an empty one, and 4 lines fewer than nothing: -0.4
    it("measures the cost of a reading", function()
        local function result(loads, more)
            return { regions = { calibration = { { calls = 1, counts = { PMC0 = loads, MBOX0C1 = 4, MBOX1C1 = 0 } } },
                readings = { { calls = 1, counts = { PMC0 = loads + more, MBOX0C1 = 0, MBOX1C1 = 0 } } } } }
        end
        local results = { ["j.empty/R/1"] = result(30, 500), ["j.empty/R/2"] = result(40, 520), ["j.empty/R/3"] = result(20, 9) }
        local named = setmetatable({ name = "R" }, { __index = run })
        local found = calibrate.of_run({ id = "j" }, named, results, 3)
        assert.equal(50, found[1].read)
        assert.equal(-0.4, found[2].read)
        assert.is_nil(found[4].read)
    end)

    it("subtracts it by event and box, for any counter, and never below 0", function()
        local other = {
            events = {
                { event = "LOADS", counter = "PMC3", options = "" }, { event = "READS", counter = "MBOX0C0", options = "" },
                { event = "READS", counter = "MBOX1C0", options = "" }, { event = "NONE", counter = "PMC0", options = "" },
            },
        }
        local regions = { a = {
            { cpu = 0, calls = 2, counts = { PMC3 = 1060, MBOX0C0 = 3, MBOX1C0 = 5, PMC0 = 9 } },
            { cpu = 1, calls = 1, counts = { PMC3 = -5 } }, { cpu = 2 },
        } }
        local found = calibrate.subtract { run = other, regions = regions, costs = costs }
        assert.same({ PMC3 = 1000, MBOX0C0 = 0, MBOX1C0 = 5, PMC0 = 9 }, found.a[1].counts)
        assert.equal(-5, found.a[2].counts.PMC3)
        assert.equal(2, found.a[3].cpu)
        assert.equal(0, found.a[1].cpu)
        assert.equal(1060, regions.a[1].counts.PMC3)
    end)
end)
