-- How far a node's value may be from its peers' (lua/judge/fleet/limits.lua).
local limits = require "judge.fleet.limits"
local synthetic = require "tests.lua.fleet_synthetic"

describe("limits of a fleet", function()
    local rule = limits.rule(0.01, 1000)

    it("shares the rate of false alarms among all tests", function()
        assert.are.equal(1e-5, rule.p)
        assert.are.equal(0.01, limits.rule(0.01, 0).p)
    end)

    it("takes median and MAD, and for many peers the normal quantile", function()
        -- distances 0 1 1 2 2 ... around 10: MAD by hand
        local found = limits.of({ 8, 9, 10, 11, 12 }, 0.1, rule)
        assert.are.equal(10, found.median)
        assert.are.near(1.4826, found.scale, 1e-12)
        assert.are.equal(8, found.min)
        assert.are.equal(12, found.max)
        -- two-sided 1e-5 of the normal distribution: 4.417
        assert.are.near(4.417, rule.quantile(1000000), 0.001)
        assert.is_true(rule.quantile(5) > 1000)
    end)

    it("has the floor of a quarter of the tolerance where counts are identical", function()
        assert.are.equal(0.25, limits.of({ 3, 3, 3 }, 1, rule).limit)
        assert.are.equal(0.025, limits.of({ 3, 3, 3, 3, 7 }, nil, rule).limit)
        assert.are.equal(0, limits.of({ 3, 3, 3, 3, 7 }, nil, rule).scale)
    end)

    it("says nothing of two values, and nothing of none", function()
        assert.is_nil(limits.of({ 1, 2 }, 1, rule).limit)
        assert.is_nil(limits.of({}, 1, rule))
    end)

    it("draws exponential tails on to p", function()
        -- distances 0, 1, .. 999 from a median of 0: of 90 %, the 900th, 899; of all but 10, the 990th, 989; slope 90 / ln(100 / 10) on
        -- 90 distances; from a share of 0.01 to 1e-5 is a factor of 1000
        local values = {}
        for i = 1, 1000 do
            values[i] = i % 2 == 0 and i - 1 or 1 - i
        end
        local found = limits.of(values, 0.1, limits.rule(1e-5, 1))
        local normal = limits.rule(1e-5, 1).quantile(1000) * found.scale
        local tails = 989 + 90 / math.log(10) * 90 * (1000 ^ (1 / 90) - 1)
        assert.is_true(normal > tails) -- even noise has no tails
        assert.are.near(normal, found.limit, 2)
        -- with ten more far away it has: the last of all but 11 that may be wrong
        for i = 1, 60 do
            values[1000 + i] = (i % 2 == 0 and 1 or -1) * (3000 + 100 * ((i + 1) // 2))
        end
        -- 1060 distances: of 90 %, the 954th, 953; of all but 11, the 1049th, of the 25th pair of those far away
        local far = limits.of(values, 0.1, limits.rule(1e-5, 1))
        local slope = (5500 - 953) / math.log(106 / 11)
        assert.are.near(5500 + slope * 95 * ((11 / 1060 / 1e-5) ^ (1 / 95) - 1), far.limit, 5)
    end)

    it("keeps its rate with normal and with exponential noise, in small groups and in large ones", function()
        for _, case in ipairs { { 5, 2000 }, { 12, 1000 }, { 40, 500 }, { 300, 300 } } do
            local count, fleets = table.unpack(case)
            for _, noise in ipairs { "normal", "exponential" } do
                if noise == "normal" or count >= 300 then
                    local alarms, random = 0, synthetic.random(count)
                    for _ = 1, fleets do
                        local values = {}
                        for i = 1, count do
                            values[i] = random[noise]()
                        end
                        local found, is_alarm = limits.of(values, 1e-9, limits.rule(0.05, count)), false
                        for _, value in ipairs(values) do
                            is_alarm = is_alarm or math.abs(value - found.median) > found.limit
                        end
                        alarms = is_alarm and alarms + 1 or alarms
                    end
                    -- at most 0.05 of the fleets, and three standard deviations of such a count
                    local most = 0.05 * fleets + 3 * math.sqrt(0.05 * 0.95 * fleets)
                    assert.is_true(alarms <= most, ("%s, %d nodes: %d of %d"):format(noise, count, alarms, fleets))
                end
            end
        end
    end)
end)
