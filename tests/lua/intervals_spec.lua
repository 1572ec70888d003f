-- intervals_spec.lua - 95 % intervals of constants contain the truth in 95 % of cases, if sizes and repetitions both deviate.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Simulated: y = (offset + factor * x) + x * (deviation of the size + deviation of the repetition), both normal. The expectation is
-- exact, so that an interval is the t interval alone, and the noise is far below the tolerance, so that (nearly) every campaign is
-- corrected and counts. If ten repetitions were counted as ten sizes, intervals would cover 17 to 38 % of the cases with `between` only.
local deviation = require "judge.deviation"
local systematic = require "judge.systematic"
local synthetic = require "synthetic"

local CAMPAIGNS, SEED = synthetic.cases(175, 700), 31
local TOLERANCE = 20 -- %
local SLACK = 2.5 * math.sqrt(0.95 * 0.05 / CAMPAIGNS) -- standard deviations of such a share
local LOW, HIGH = 0.95 - SLACK, 0.95 + SLACK

local CASES = {
    { sizes = 2, reps = 10, between = 0.004, within = 0 },
    { sizes = 3, reps = 10, between = 0.004, within = 0.0005 },
    { sizes = 4, reps = 3, between = 0.004, within = 0.004 },
    { sizes = 5, reps = 5, between = 0.0005, within = 0.004 },
    { sizes = 8, reps = 10, between = 0.004, within = 0.001, threads = 2 },
    { sizes = 6, reps = 2, between = 0, within = 0.004 },
}

-- One campaign's rows: sizes in equal ratios over a factor of 16.
local function simulate(random, case, factor, offset)
    local rows = {}
    for size = 1, case.sizes do
        local x, own = 1000 * 16 ^ ((size - 1) / (case.sizes - 1)), case.between * random.normal()
        for rep = 1, case.reps do
            for thread = 1, case.threads or 1 do
                local noise = own + case.within * random.normal()
                rows[#rows + 1] = deviation.row {
                    point = "p" .. size, rep = rep, thread = thread, measured = offset + x * (factor + noise), work = x,
                    expected = { min = x, value = x, max = x },
                }
            end
        end
    end
    return rows
end

-- Shares of the campaigns that were corrected, and of their intervals of `constant` that contain the truth.
local function cover(case, factor, offset, constant)
    local random = synthetic.random(SEED + case.sizes * 1009 + case.reps)
    local truth, found, held = { factor = factor, offset = offset }, 0, 0
    for _ = 1, CAMPAIGNS do
        local result = systematic.explain(simulate(random, case, factor, offset), TOLERANCE)
        local interval = result and result[constant .. "_ci"]
        if interval then
            found = found + 1
            held = held + (interval[1] <= truth[constant] and truth[constant] <= interval[2] and 1 or 0)
        end
    end
    return found / CAMPAIGNS, held / found
end

describe("95 % intervals", function()
    for _, case in ipairs(CASES) do
        local name = ("%d sizes, %d repetitions, %g between sizes, %g within"):format(case.sizes, case.reps, case.between, case.within)
        it("of a factor: " .. name, function()
            local found, held = cover(case, 1.5, 0, "factor")
            assert.is_true(found >= 0.95, found)
            assert.is_true(LOW <= held and held <= HIGH, held)
        end)
    end

    it("of an offset", function()
        local found, held = cover(CASES[3], 1, 5000, "offset")
        assert.is_true(found >= 0.95, found)
        assert.is_true(LOW <= held and held <= HIGH, held)
    end)

    it("of both, fitted together #long", function()
        for _, constant in ipairs { "factor", "offset" } do
            local found, held = cover(CASES[5], 1.5, 3000, constant)
            assert.is_true(found >= 0.95, found)
            assert.is_true(LOW <= held and held <= HIGH, held)
        end
    end)
end)
