-- near_spec.lua - generated metrics near the limit between two classes: they are classified right or as unknown, never wrong.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Noise here has a standard deviation of up to a tenth of the tolerance, cut at 3: repetitions of a point differ by less than the
-- tolerance, so that only the injected error decides the class. Expected values are exact.
local judge = require "judge.judge"
local synthetic = require "synthetic"

local CASES, SEED = 200, 991
local NOISE = 0.1 -- of the tolerance

-- Samples of `points` sizes over a factor of `span`, each `reps` times: change(truth, point, rep).
local function campaign(random, made, change)
    local samples = {}
    for point = 1, made.points do
        local x = made.first * made.span ^ ((point - 1) / (made.points - 1))
        for rep = 1, made.reps do
            local noise = math.max(-3, math.min(3, random.normal())) * NOISE * made.tolerance / 100
            samples[#samples + 1] = {
                point = "p" .. point, rep = rep, thread = 0, work = x, measured = change(x * (1 + noise), point, rep),
                expected = { min = x, value = x, max = x },
            }
        end
    end
    return samples
end

-- Classes found of CASES campaigns that `make(random, made)` gives a change for; check(result, made) of each.
local function classes(seed, make, check)
    local found = {}
    for number = 1, CASES do
        local random = synthetic.random(SEED + seed + number * 7919)
        local made = {
            tolerance = random.pick { 0.1, 1, 2 },
            points = random.whole(4, 8),
            reps = random.whole(1, 6),
            first = random.ratio(1e4, 1e10),
            span = random.ratio(4, 64),
        }
        local change = make(random, made)
        local result = judge.metric(campaign(random, made, change), { tolerance_pct = made.tolerance })
        found[result.class] = (found[result.class] or 0) + 1
        if check then
            check(result, made)
        end
    end
    return found
end

-- Only these classes may be found, the first one in at least the given share of cases.
local function assert_only(found, names, share)
    local sum = 0
    for _, name in ipairs(names) do
        sum = sum + (found[name] or 0)
    end
    local told = {}
    for name, count in pairs(found) do
        told[#told + 1] = ("%s %d"):format(name, count)
    end
    assert.equal(CASES, sum, table.concat(told, ", "))
    assert.is_true((found[names[1]] or 0) >= share * CASES, table.concat(told, ", "))
end

local function near_one(random, made, low, high)
    return 1 + random.sign() * random.between(low, high) * made.tolerance / 100
end

describe("near the limits", function()
    it("a factor of less than the tolerance is exact", function()
        assert_only(classes(1, function(random, made)
            local factor = near_one(random, made, 0, 0.65) -- and three tenths of noise
            return function(truth) return truth * factor end
        end), { "exact" }, 1)
    end)

    it("a factor of slightly more is multiplicative, with that factor", function()
        assert_only(classes(2, function(random, made)
            made.factor = near_one(random, made, 1.35, 3)
            return function(truth) return truth * made.factor end
        end, function(result, made)
            if result.class == "multiplicative" then
                assert.near(made.factor, result.correction.factor, made.tolerance / 100 / 2)
                assert.near(0, result.correction.offset, 0.5 * made.first * made.tolerance / 100)
            end
        end), { "multiplicative", "unknown" }, 0.97)
    end)

    it("an offset of slightly more than the tolerance of the smallest size is a bias", function()
        assert_only(classes(3, function(random, made)
            made.offset = made.first * (near_one(random, made, 1.35, 4) - 1)
            return function(truth) return truth + made.offset end
        end, function(result, made)
            if result.class == "bias" then
                assert.near(made.offset, result.correction.offset, 0.5 * made.first * made.tolerance / 100)
            end
        end), { "bias", "unknown" }, 0.9)
    end)

    it("a value that changes by less than a twentieth of the expected change is missing", function()
        local function moving(low, high)
            return function(random, made)
                local share, size = random.between(low, high), made.first * made.span
                return function(truth) return size + share * truth end
            end
        end
        assert_only(classes(4, moving(0, 0.045)), { "missing" }, 1)
        assert_only(classes(5, moving(0.06, 0.3)), { "multiplicative", "unknown" }, 0.5)
    end)

    it("a single spike of a few tolerances between right points that were measured once is random", function()
        assert_only(classes(6, function(random, made)
            made.reps = 1
            local hit, height = random.whole(2, made.points - 1), near_one(random, made, 2.5, 6)
            return function(truth, point) return point == hit and truth * height or truth end
        end), { "random" }, 1)
    end)

    it("a count that saturates a little at the largest size has no constants", function()
        assert_only(classes(7, function(random, made)
            local factor = 1 - random.between(2, 6) * made.tolerance / 100
            return function(truth, point) return point == made.points and truth * factor or truth end
        end), { "unknown" }, 1)
    end)

    it("a wide interval hardly affects a constant", function()
        local samples = campaign(synthetic.random(5), { points = 6, reps = 3, first = 1e6, span = 32, tolerance = 1 },
            function(truth, point) return 1.5 * truth * (point % 3 == 0 and 0.8 or 1) end)
        for _, sample in ipairs(samples) do
            if sample.point == "p3" or sample.point == "p6" then
                sample.expected.min, sample.expected.max = 0.75 * sample.expected.value, 1.25 * sample.expected.value
            end
        end
        local result = judge.metric(samples, { tolerance_pct = 1 })
        assert.equal("multiplicative", result.class)
        assert.near(1.5, result.correction.factor, 0.005)
        assert.is_true(1.46 < result.correction.factor_ci[1] and result.correction.factor_ci[2] < 1.54)
    end)
end)
