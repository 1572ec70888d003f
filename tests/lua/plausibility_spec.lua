-- plausibility_spec.lua - whether cycles add up, of points with stated costs; and a few linear equations.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local equations = require "numeric.equations"
local plausibility = require "events.judge.plausibility"
local render = require("events.report.events").render

local CLOCK = "CPU_CLK_UNHALTED_CORE"
local BASIC = { "instructions", "data reads in L2", "data reads from memory", "page walks of loads", "mispredicted branches" }
local POINTS = { -- instructions, lines from L2, from memory, page walks, mispredictions
    { 1000, 0, 0, 0, 0 }, { 2000, 0, 0, 0, 0 }, { 1500, 100, 0, 0, 0 }, { 1000, 200, 0, 0, 0 }, { 3000, 0, 100, 10, 0 },
    { 1000, 50, 20, 20, 0 }, { 2500, 0, 60, 0, 0 }, { 900, 0, 0, 0, 50 }, { 1800, 10, 0, 0, 30 }, { 1200, 0, 0, 40, 0 },
}
local COSTS = { 0.25, 12, 200, 30, 15 }

local function found_slopes()
    local slopes = {}
    for number, made in ipairs(POINTS) do
        slopes[number] = 0
        for i, cost in ipairs(COSTS) do
            slopes[number] = slopes[number] + cost * made[i]
        end
    end
    return slopes
end

-- The result if a point's cycles are change(their sum, its number); more: further keys of the argument, and
-- { [number] = { [concept] = count | false } } of `counts`, or the point in which lines from L2 are known within a fifth.
local function found(change, more)
    local plan, slopes = { rows = {} }, found_slopes()
    for number, made in ipairs(POINTS) do
        local regions = {}
        for k = 1, 3 do
            local times, counts = 1000 * k, {}
            for i, count in ipairs(made) do
                local width = more and more.wide == number and i == 2 and 0.2 * count * times or 0
                counts[BASIC[i]] = { min = count * times - width, value = count * times, max = count * times + width }
            end
            for name, count in pairs(more and more.counts and more.counts[number] or {}) do
                counts[name] = count and { min = count * times, value = count * times, max = count * times }
            end
            regions[k] = { times = times, counts = counts }
        end
        plan.rows[number] = { title = "point " .. number, regions = regions }
        slopes[number] = change and change(slopes[number], number) or slopes[number]
    end
    local argument = { plan = plan, groups = fixture.groups(), machine = fixture.machine(), node = fixture.node(),
        said = { INSTR_RETIRED_ANY = { text = "instructions", terms = { instructions = 1 } } },
        findings = { { event = CLOCK, options = "", class = "unknown", slopes = slopes } } }
    for key, value in pairs(more or {}) do
        argument[key] = value
    end
    return plausibility.find(argument)
end

describe("the plausibility of cycles", function()
    it("finds the cost of each, next to the virtual node's stated cost", function()
        local one = found()
        assert.same({ CLOCK, 10, 10 }, { one.event, one.points, one.predicted })
        for i, cost in ipairs(one.costs) do
            assert.near(COSTS[i], cost.cycles, 1e-6)
        end
        assert.near(0, one.error_pct, 1e-6)
        assert.same({ 1, 12, 200, 30, 15 }, { one.costs[1].stated, one.costs[2].stated, one.costs[3].stated, one.costs[4].stated,
            one.costs[5].stated })
        assert.equal("a line from memory", one.costs[3].text)
    end)

    it("states the error of a point predicted with costs from the others", function()
        local one = found(function(sum, number) return number == 7 and 1.1 * sum or sum end)
        assert.is_true(math.abs(one.error_pct) > 5, one.error_pct)
        one = found(function(sum) return 1.1 * sum end) -- a factor common to all points is part of the costs
        assert.near(0, one.error_pct, 1e-6)
        assert.near(13.2, one.costs[2].cycles, 1e-6)
    end)

    it("does not predict a point if only that point separates two costs", function()
        local kept = { [3] = true, [4] = true, [6] = true, [9] = true } -- lines from L2 go with walks everywhere but in one point
        local counts = {}
        for number in ipairs(POINTS) do
            counts[number] = { ["data reads in L2"] = kept[number] and number ~= 3 and 10 or number == 3 and 5 or 0,
                ["page walks of loads"] = kept[number] and number ~= 3 and 20 or 0 }
        end
        counts[5], counts[10] = { ["page walks of loads"] = 0, ["data reads in L2"] = 0 }, { ["page walks of loads"] = 0 }
        assert.equal(9, found(nil, { counts = counts }).predicted)
    end)

    it("leaves out points with other costs, and points with unknown counts", function()
        assert.equal(9, found(nil, { counts = { [2] = { ["locked loads"] = 100 } } }).points)
        assert.equal(9, found(nil, { counts = { [5] = { ["data reads from memory"] = false } } }).points)
        local mispredicted = { event = "BR_MISP", options = "", class = "exact", slopes = {} }
        for number, made in ipairs(POINTS) do
            mispredicted.slopes[number] = made[5]
        end
        local said = { BR_MISP = { text = "m", terms = { ["mispredicted branches"] = 1 } },
            INSTR_RETIRED_ANY = { text = "instructions", terms = { instructions = 1 } } }
        local findings = { mispredicted, { event = CLOCK, options = "", class = "unknown", slopes = found_slopes() } }
        local one = found(nil, { counts = { [8] = { ["mispredicted branches"] = false } }, said = said, findings = findings })
        assert.equal(10, one.points) -- counted by an event that was found exact
        said.BR_MISP.terms.instructions = 1
        one = found(nil, { counts = { [8] = { ["mispredicted branches"] = false } }, said = said, findings = findings })
        assert.equal(9, one.points) -- this event also counts something else
        assert.equal(9, found(nil, { wide = 3 }).points)
    end)

    it("is absent without an event for cycles, or with too few points", function()
        assert.same({}, found(nil, { findings = {} }))
        -- instructions are not cycles, although they are in the same metric
        local instructions = { event = "INSTR_RETIRED_ANY", options = "", class = "exact", slopes = found_slopes() }
        assert.same({}, found(nil, { findings = { instructions } }))
        assert.equal(9, found(function(sum, number) return number == 4 and 0 or sum end).points)
        assert.same({}, found(function(sum, number) return number > 1 and 0 or sum end))
    end)

    it("states no node's costs on silicon", function()
        local node = fixture.node()
        node.kind = "native"
        assert.is_nil(found(nil, { node = node }).costs[1].stated)
    end)

    it("is printed in three lines", function()
        local text = render({ found = { events = {}, vectors = {}, cycles = found() } }).text
        for _, line in ipairs { "Cycles (CPU_CLK_UNHALTED_CORE) come nearest to 0.25 an instruction, 12 a line from L2, 200 ",
            "\n  the virtual node's own time has 1, 12, 200, 30, 15\n", "\n  of 10 points each from the others: within " } do
            assert.truthy(text:find(line, 1, true), text)
        end
    end)
end)

describe("equations", function()
    it("are solved if they are independent", function()
        local solution = equations.solve({ { 0, 2 }, { 2, 1 } }, { 4, 7 })
        assert.near(2.5, solution[1], 1e-12)
        assert.near(2, solution[2], 1e-12)
        assert.is_nil(equations.solve({ { 1, 2 }, { 2, 4 } }, { 3, 6 }))
        assert.is_nil(equations.solve({ { 0 } }, { 0 }))
    end)
end)
