-- How far a node's value may be from its peers' (lua/fleet/limits.lua, noise.lua).
local limits = require "fleet.limits"
local noise = require "fleet.noise"
local cases = require("synthetic").cases
local stats = require "numeric.stats"
local synthetic = require "tests.lua.fleet_synthetic"

local function scale(values)
    local sorted = stats.sorted(values)
    return noise.scale(sorted, stats.middle(sorted))
end

-- Draws of one kind of noise, all with the median 0 or near it.
local KINDS = {
    normal = function(random) return random.normal() end,
    laplace = function(random) return random.exponential() end,
    ["one-sided"] = function(random) return math.abs(random.exponential()) end,
    contaminated = function(random) return random.normal() * (random.uniform() < 0.05 and 3 or 1) end,
    discrete = function(random) return math.floor(2 * random.uniform()) * 0.24 end, -- a step below a quarter of the tolerance, or none
    identical = function() return 0 end,
}

-- A group's columns: `count` metrics with noise of many sizes; tolerances of 1.
local function columns_of(nodes, count, kind, random)
    local columns, tolerances, sizes = {}, {}, {}
    for metric = 1, count do
        sizes[metric] = kind == "discrete" and 1 or 0.02 + 0.48 * random.uniform()
        columns[metric], tolerances[metric] = {}, 1
        for node = 1, nodes do
            columns[metric][node] = sizes[metric] * KINDS[kind](random)
        end
    end
    return columns, tolerances, sizes
end

local function count_alarms(columns, found)
    local alarms = 0
    for metric, values in ipairs(columns) do
        for _, value in ipairs(values) do
            alarms = math.abs(value - found[metric].median) > found[metric].limit and alarms + 1 or alarms
        end
    end
    return alarms
end

describe("noise of a group's nodes", function()
    it("exceeds t MAD with the probability that gaps of exponential values have", function()
        assert.are.near(0.5, noise.farther(1, 1), 1e-12)
        assert.are.near(1 / 10, noise.farther(9, 1), 1e-12) -- 1/2 * 2 / (t + 1)
        assert.are.near(0.5 * 3 / 5 * 4 / 6, noise.farther(3, 2), 1e-12)
        local product = 0.5
        for m = 51, 100 do
            product = product * m / (m + 6)
        end
        assert.are.near(1, noise.farther(7, 50) / product, 1e-9)
    end)

    it("has the scale of the median distance, larger if the noise is one-sided", function()
        assert.are.equal(1, scale { 12, 8, 10, 11, 9 }) -- distances 0 1 1 2 2, above and below 1 2
        -- distances 0 1 1 2 3 4 5: MAD 2; above 3 4 5, but at most ln 2 / arsinh(1/2) MAD
        assert.are.near(2 * math.log(2) / 0.48121182505960, scale { 8, 9, 9, 10, 13, 14, 15 }, 1e-9)
        -- distances 0 1 1 1 1.25 2 3: MAD 1; above 1 1.25 3
        assert.are.equal(1.25, scale { 8, 9, 9, 10, 11, 11.25, 13 })
        assert.are.equal(0, scale { 3, 3, 7 })
    end)

    it("has the probability that a few values allow to state", function()
        assert.are.near(2 / 1e-3 / 2 - 1, noise.quantile(1e-3, 1), 1e-3) -- 1 / (t + 1) = p
        for _, k in ipairs { 2, 14, 1000 } do
            assert.are.near(1, noise.farther(noise.quantile(1e-7, k), k) / 1e-7, 1e-6)
        end
    end)
end)

describe("limits of a fleet", function()
    it("share the rate of false alarms among all tests", function()
        local columns = { { 8, 9, 10, 11, 12 } }
        local one, shared = limits.of(columns, { 1 }, 0.01, 1)[1].limit, limits.of(columns, { 1 }, 0.01, 1000)[1].limit
        assert.are.near(1000, noise.farther(one, 2) / noise.farther(shared, 2), 0.1)
        assert.are.near(1e-2, noise.farther(one, 2), 1e-5)
        assert.are.equal(one, limits.of(columns, { 1 }, 0.01, 0)[1].limit)
    end)

    it("are a quarter of the tolerance if counts are identical", function()
        local found = limits.of({ { 3, 3, 3 }, { 3, 3, 3, 3, 7 } }, { 1 }, 0.01, 8)
        assert.are.equal(0.25, found[1].limit)
        assert.are.equal(0.025, found[2].limit)
        assert.are.equal(3, found[2].median)
    end)

    it("do not exist for two values or none", function()
        local found = limits.of({ { 1, 2 }, {} }, {}, 0.01, 2)
        assert.is_nil(found[1].limit)
        assert.are.equal(1.5, found[1].median)
        assert.is_false(found[2])
    end)

    it("keep the rate of false alarms for noise of every kind, in groups of every size", function()
        for _, case in ipairs { { 3, 200 }, { 4, 100 }, { 5, 200 }, { 12, 100 }, { 30, 100 }, { 120, 20 }, { 250, 10 } } do
            local nodes, fleets = case[1], cases(math.ceil(case[2] / 5), case[2])
            for kind in pairs(KINDS) do
                local alarms, random = 0, synthetic.random(nodes)
                for _ = 1, fleets do
                    local columns, tolerances = columns_of(nodes, 30, kind, random)
                    local found = limits.of(columns, tolerances, 0.05, nodes * 30)
                    alarms = count_alarms(columns, found) > 0 and alarms + 1 or alarms
                end
                -- at most 0.05 of the fleets, and three standard deviations of such a count
                local most = 0.05 * fleets + 3 * math.sqrt(0.05 * 0.95 * fleets)
                assert.is_true(alarms <= most, ("%s, %d nodes: %d of %d"):format(kind, nodes, alarms, fleets))
            end
        end
    end)

    it("detect what docs/fleet.md states for each number of nodes, even if one node is wrong in all metrics", function()
        for _, case in ipairs { { 10, 400 }, { 30, 50 }, { 120, 25 }, { 250, 20 } } do
            local nodes, off = table.unpack(case)
            local columns, tolerances, sizes = columns_of(nodes, 300, "normal", synthetic.random(nodes))
            for metric, values in ipairs(columns) do
                values[1] = 3 + off * sizes[metric]
            end
            local found, missed = limits.of(columns, tolerances, 0.01, nodes * 300), 0
            for metric, values in ipairs(columns) do
                missed = values[1] - found[metric].median <= found[metric].limit and missed + 1 or missed
                values[1] = found[metric].median
            end
            assert.is_true(missed <= 3, ("%d nodes: %d of 300 missed"):format(nodes, missed))
            assert.are.equal(0, count_alarms(columns, found))
        end
    end)
end)
