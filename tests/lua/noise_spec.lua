-- noise_spec.lua - which point of a probe is repeated for an event, and how the error depends on the number of repetitions.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture" -- where the modules in C are
local repeats = require "events.plan.repeats"
local noise = require "events.judge.noise"
local render = require("events.report.noise").render

-- Rows of a plan: apples and instructions of one repetition; regions of 1, 2 and 3 times `times`.
local function plan_of(rows)
    local plan = { rows = {}, events = { { event = "APPLES", options = "", counters = { "PMC0" }, name = "E1" },
        { event = "ROUND", options = "EDGE", counters = { "PMC1" }, name = "E2" } },
        jobs = { { id = "probes", pattern = "probes", program = "probes", placement = "S0:1", cpus = { 0 }, points = {} } } }
    for number, one in ipairs(rows) do
        local row = { title = one.title, regions = {} }
        for i = 1, 3 do
            local times, region = i * one.times, ("%s.t%d"):format(one.title, i)
            local function of(many, wide) return { min = many * times, value = many * times, max = (many + wide) * times } end
            row.regions[i] = { region = region, times = times, counts = { instructions = of(one.instructions, 0),
                apples = one.apples and of(one.apples, one.wide or 0) } }
            table.insert(plan.jobs[1].points, { region = region, code = one.title, arguments = { one.title, tostring(times) } })
        end
        plan.rows[number] = row
    end
    return plan
end

local SAID = { APPLES = { text = "apples", terms = { apples = 1 } }, ROUND = { text = "apples", terms = { apples = 1 } } }
local ORCHARD = { title = "orchard", times = 100, instructions = 5000, apples = 300 }
local GARDEN = { title = "garden", times = 100, instructions = 2000, apples = 100 }

local function chosen(rows, more)
    local argument = { plan = plan_of(rows), said = SAID, findings = more }
    return noise.choose(argument), argument.plan
end

describe("the point that is repeated", function()
    it("is the cheapest that causes many events, a known number", function()
        local looks = chosen { ORCHARD, GARDEN }
        assert.same({ { event = 1, row = 2, expected = 100 }, { event = 2, row = 2, expected = 100 } }, { looks[1], looks[2] })
        local few = { title = "pot", times = 10, instructions = 1, apples = 2 }
        local vague = { title = "market", times = 100, instructions = 1, apples = 100, wide = 5 }
        local unknown = { title = "town", times = 100, instructions = 1, apples = false }
        assert.equal(4, chosen({ few, vague, unknown, GARDEN })[1].row)
        assert.equal(1, chosen({ few, vague, unknown })[1].row)
        assert.equal(0, #chosen { vague, unknown })
        local short = { title = "balcony", times = 100, instructions = 100, apples = 100 }
        assert.equal(2, chosen({ short, GARDEN })[1].row)
        assert.equal(1, chosen({ short, few })[1].row)
    end)

    it("is only chosen for unsteady findings, if there are findings", function()
        local expected = { { min = 300, value = 300, max = 300 } }
        local steady = { class = "exact", sd_pct = 0.9, expected = expected }
        assert.equal(0, #chosen({ ORCHARD }, { steady, { class = "exact", expected = expected } }))
        assert.equal(2, chosen({ ORCHARD }, { steady, { class = "random", expected = expected } })[1].event)
        assert.equal(1, chosen({ ORCHARD }, { { class = "exact", sd_pct = 1.1, expected = expected }, { class = "unknown" } })[1].event)
    end)

    it("is a separate job, whose program creates the regions", function()
        local looks, plan = chosen { ORCHARD }
        local made = repeats.make { plan = plan, chosen = looks, machine = fixture.machine() }
        assert.equal(1, #made.jobs)
        assert.same({ { region = "orchard.t1*512", code = "orchard", arguments = { "orchard", "100" } },
            { region = "orchard.t3*512", code = "orchard", arguments = { "orchard", "300" } } }, { table.unpack(made.jobs[1].points) })
        assert.equal(1, #made.jobs[1].runs)
        assert.same({ "orchard.t1.512", "orchard.t3.512" }, { table.unpack(made.repeats[2].repetitions[512]) })
        assert.equal(2, #repeats.make({ plan = plan, chosen = looks, machine = fixture.machine(), alone = true }).jobs)
    end)
end)

-- The result of noise.find() for the event's repetitions, in which each region counts change(right count, repetition).
local function found(change)
    local plan = plan_of { ORCHARD }
    local looks = noise.choose { plan = plan, said = { APPLES = SAID.APPLES } }
    local made = repeats.make { plan = plan, chosen = looks, machine = fixture.machine() }
    local counter, regions = made.jobs[1].runs[1].counters.E1.PMC0, {}
    for i, pair in ipairs(made.repeats[1].repetitions) do
        for k, times in ipairs { 100, 300 } do
            regions[pair[k]] = { { counts = { [counter] = change(40 + 300 * times, 2 * i + k) } } }
        end
    end
    plan.jobs, plan.repeats = made.jobs, made.repeats
    local id = ("%s/%s/1"):format(made.jobs[1].id, made.jobs[1].runs[1].name)
    return noise.find { plan = plan, results = { [id] = { regions = regions } } }[1]
end

describe("repetitions", function()
    it("of a right event do not differ", function()
        local one = found(function(count) return count end)
        assert.same({ 512, 60000, 60000, 0, 0 }, { one.repetitions, one.expected, one.mean, one.sd, one.sd_pct })
        for i, size in ipairs { 1, 8, 64, 512 } do
            assert.same({ size = size, least_pct = 0, median_pct = 0 }, one.blocks[i])
        end
    end)

    it("with added noise are right in the minimum, with rare spikes in the median", function()
        local adds = found(function(count, i) return count + i % 7 * 1000 end)
        assert.equal(0, adds.blocks[4].least_pct)
        assert.is_true(adds.blocks[4].median_pct < 2 and adds.blocks[1].median_pct > 2)
        local spikes = found(function(count, i) return i % 50 == 0 and 0 or count end)
        assert.equal(0, spikes.blocks[4].median_pct)
        assert.is_true(spikes.blocks[4].least_pct > 50)
        assert.is_true(math.abs(spikes.mean_error_pct) > 1)
    end)

    it("of a counter that is wrong by a factor are wrong, whatever their number", function()
        local one = found(function(count) return 1.1 * count end)
        assert.near(10, one.mean_error_pct, 1e-9)
        assert.near(10, one.blocks[4].median_pct, 1e-9)
        assert.near(0, one.sd_pct, 1e-9)
    end)

    it("have a reason if they are absent", function()
        assert.equal("the run has no counts", found(function() return nil end).reason)
    end)

    it("are printed as a table", function()
        local one = found(function(count) return 1.1 * count end)
        local text = render({ events = { one, { event = "OTHER", options = "", reason = "not modelled" } } }).text
        assert.truthy(text:find("event   deviation %  mean %  least of 1  median of 1", 1, true), text)
        assert.truthy(text:find("APPLES            0     +10          10           10", 1, true), text)
        assert.truthy(text:find("not modelled\n", 1, true), text)
    end)
end)
