-- resolution_spec.lua - the class changes at the stated resolution: generated metrics with slightly smaller and larger errors.
-- SPDX-License-Identifier: GPL-3.0-or-later
local deviation = require "judge.deviation"
local judge = require "judge.judge"
local resolution = require "judge.resolution"
local synthetic = require "synthetic"

local CASES, SEED = synthetic.cases(30, 150), 7100
local NEAR = 1e-9 -- distance from the stated resolution, as a share of the amounts: above rounding, far below a count

-- The samples with change(measured, region's seconds) in the place of what was measured.
local function changed(samples, change)
    local list = {}
    for i, sample in ipairs(samples) do
        list[i] = setmetatable({ measured = change(sample.measured, sample.seconds or 1) }, { __index = sample })
    end
    return list
end

local function judged(samples, tolerance)
    return judge.metric(samples, { tolerance_pct = tolerance })
end

-- With an error just below the resolution a metric is still exact, just above it is not.
local function assert_at_limit(samples, tolerance)
    local found = judged(samples, tolerance)
    assert.equal("exact", found.class)
    local seen = found.resolution
    local largest = 0
    for _, sample in ipairs(samples) do
        largest = math.max(largest, sample.expected.max * (sample.seconds or 1))
    end
    local function class_of(change)
        return judged(changed(samples, change), tolerance).class
    end
    for _, case in ipairs { { seen.factor_up, 1 }, { seen.factor_down, -1 } } do
        local factor, side = case[1], case[2]
        assert.equal("exact", class_of(function(value) return value * factor * (1 - side * NEAR) end))
        assert.not_equal("exact", class_of(function(value) return value * factor * (1 + side * NEAR) end))
    end
    local step = NEAR * largest
    assert.equal("exact", class_of(function(value, seconds) return value + (seen.offset - step) / seconds end))
    assert.not_equal("exact", class_of(function(value, seconds) return value + (seen.offset + step) / seconds end))
    return found
end

-- Intervals that are wide at every point, with the nominal value measured.
local function widen(samples, tolerance)
    for _, sample in ipairs(samples) do
        local value, open = sample.expected.value, 1.2 * tolerance / 100
        sample.measured = value
        sample.expected = { min = value * (1 - open), value = value, max = value * (1 + open) }
    end
end

describe("resolution", function()
    it("is the error from which on generated metrics are not exact", function()
        local verdicts = { validated = 0, unresolved = 0 }
        for number = 1, CASES do
            local made = synthetic.make("exact", SEED + number * 7919)
            if number % 2 == 0 then
                widen(made.samples, made.tolerance)
            end
            local found = assert_at_limit(made.samples, made.tolerance)
            verdicts[found.verdict] = verdicts[found.verdict] + 1
            local limit = 2 * made.tolerance / 100
            local is_sharp = found.resolution.factor_up - 1 <= limit and 1 - found.resolution.factor_down <= limit
            assert.equal(is_sharp and "validated" or "unresolved", found.verdict)
        end
        assert.is_true(verdicts.validated > 10 and verdicts.unresolved > 10, verdicts.validated .. " " .. verdicts.unresolved)
    end)

    -- expectations of 100, 200, 400 with `open` of them to each side
    local function samples_of(open, more)
        local list = {}
        for i = 1, 3 do
            local value = 50 * 2 ^ i
            list[i] = { point = "p" .. i, measured = value, work = value, unit = "GBytes",
                expected = { min = value * (1 - open), value = value, max = value * (1 + open) } }
            for key, one in pairs(more or {}) do
                list[i][key] = one
            end
        end
        return list
    end

    it("is the tolerance if exactly one count is right; there class and verdict change", function()
        local samples = samples_of(0)
        local found = assert_at_limit(samples, 1)
        assert.near(1.01, found.resolution.factor_up, 1e-12)
        assert.near(0.99, found.resolution.factor_down, 1e-12)
        assert.near(1, found.resolution.offset, 1e-12) -- 1 % of the smallest
        assert.equal("GBytes", found.resolution.offset_unit)
        for _, case in ipairs { { 1.0095, "validated" }, { 1.0105, "correctable" }, { 0.9905, "validated" }, { 0.9895, "correctable" } } do
            assert.equal(case[2], judged(changed(samples, function(value) return value * case[1] end), 1).verdict)
        end
        assert.equal("validated", judged(changed(samples, function(value) return value + 0.99 end), 1).verdict)
        assert.equal("correctable", judged(changed(samples, function(value) return value + 1.01 end), 1).verdict)
    end)

    it("of a rate is given in amounts, because a region's extra counts do not depend on its duration", function()
        local samples = samples_of(0, { unit = "MBytes/s", seconds = 4 })
        local found = assert_at_limit(samples, 1)
        assert.near(4, found.resolution.offset, 1e-12)
        assert.equal("MBytes", found.resolution.offset_unit)
    end)

    it("makes a metric unresolved if its interval hides a wrong factor", function()
        -- 1 % of tolerance and 1 % of freedom: 1.01 * 1.01 = 1.0201
        assert.equal("validated", judged(samples_of(0.0099), 1).verdict)
        local found = judged(samples_of(0.01), 1)
        assert.equal("unresolved", found.verdict)
        assert.equal("exact", found.class)
        assert.matches("would not have been noticed", found.reason)
        assert.near(2.01, resolution.percent(found.resolution), 1e-9)
    end)

    it("has no factor down if 0 would also be right", function()
        local samples = samples_of(0)
        for _, sample in ipairs(samples) do
            sample.expected.min = 0
        end
        local found = judged(samples, 1)
        assert.is_nil(found.resolution.factor_down)
        assert.is_nil(resolution.percent(found.resolution))
        assert.equal("unresolved", found.verdict)
        -- one sharp sample is enough
        samples[2].expected.min = samples[2].expected.value
        assert.equal("validated", judged(samples, 1).verdict)
    end)

    it("is absent if only 0 was expected: that is untested", function()
        local samples = samples_of(0, { measured = 0, expected = { min = 0, value = 0, max = 0 } })
        local found = judged(samples, 1)
        assert.equal("exact", found.class)
        assert.equal("untested", found.verdict)
        assert.is_nil(found.resolution.factor_up)
        assert.near(1, found.resolution.offset, 1e-12)
        assert.equal("untested", judged(changed(samples, function() return 0.99 end), 1).verdict)
        assert.equal("correctable", judged(changed(samples, function() return 1.01 end), 1).verdict) -- the same at every size: a bias
    end)

    it("is exact for a difference of two regions, in which a common excess cancels", function()
        local samples = samples_of(0.2)
        local sharp = samples_of(0)[3]
        sharp.point, sharp.regions = "p3.difference", 0
        samples[4] = sharp
        local found = judged(samples, 1)
        assert.equal("validated", found.verdict)
        assert.near(1.01, found.resolution.factor_up, 1e-12)
        assert.near(100 * 1.2 * 1.01 - 100, found.resolution.offset, 1e-9) -- the first region's
        assert.equal(0, deviation.row(sharp).regions)
        assert.equal("p3", deviation.row(sharp).size)
    end)

    it("is given for exact metrics only", function()
        assert.is_nil(judged(changed(samples_of(0), function(value) return 2 * value end), 1).resolution)
    end)
end)
