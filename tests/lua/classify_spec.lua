-- classify_spec.lua - error classes of generated metrics whose truth is known, injected faults, and the corrections.
-- SPDX-License-Identifier: GPL-3.0-or-later
local deviation = require "judge.deviation"
local judge = require "judge.judge"
local lists = require "input.lists"
local stats = require "numeric.stats"
local synthetic = require "synthetic"
local systematic = require "judge.systematic"

local CASES, SEED, DIAGONAL = synthetic.cases(60, 300), 20240, 0.99

local function judged(class, number)
    local made = synthetic.make(class, SEED + number * 7919 + #class * 104729)
    return judge.metric(made.samples, { tolerance_pct = made.tolerance }), made
end

-- The largest distance of a sample from its interval after the correction, in %.
local function outside(samples, correction)
    local rows = lists.map(samples, deviation.row)
    return stats.worst((deviation.list(rows, function(row) return (row.y - correction.offset) / correction.factor end)))
end

local function print_matrix(matrix)
    local function line(title, cells)
        print(("%-16s%s"):format(title, table.concat(cells)))
    end
    local titles = lists.map(synthetic.CLASSES, function(name) return ("%16s"):format(name) end)
    print(("\nclasses of %d generated metrics each; rows: truth, columns: found"):format(CASES))
    line("", titles)
    for _, truth in ipairs(synthetic.CLASSES) do
        local cells = lists.map(synthetic.CLASSES, function(found) return ("%16d"):format(matrix[truth][found] or 0) end)
        line(truth, cells)
    end
end

describe("error classes", function()
    it("are found in generated metrics, and so are the constants", function()
        local matrix, intervals, covered = {}, 0, 0
        for _, truth in ipairs(synthetic.CLASSES) do
            matrix[truth] = {}
            for number = 1, CASES do
                local result, made = judged(truth, number)
                matrix[truth][result.class] = (matrix[truth][result.class] or 0) + 1
                if made.factor and result.class == truth then
                    local found = result.correction
                    assert.is_true(outside(made.samples, found) <= made.tolerance)
                    for _, constant in ipairs { "factor", "offset" } do
                        local interval, value = found[constant .. "_ci"], made[constant]
                        intervals = intervals + (interval and 1 or 0)
                        covered = covered + (interval and interval[1] <= value and value <= interval[2] and 1 or 0)
                    end
                end
            end
        end
        print_matrix(matrix)
        print(("%d of %d intervals hold the constant that was put in"):format(covered, intervals))
        for _, truth in ipairs(synthetic.CLASSES) do
            local share = (matrix[truth][truth] or 0) / CASES
            assert.is_true(share >= DIAGONAL, ("%s: %.1f %% found"):format(truth, 100 * share))
        end
        assert.is_true(intervals > CASES and covered >= 0.95 * intervals)
    end)
end)

-- Points of 100, 200, 400, .. in `list`: functions of the truth, or factors of it; `options`: reps, low (interval below, in %), seconds.
local function campaign(list, options)
    local samples = {}
    options = options or {}
    for i, fault in ipairs(list) do
        for rep = 1, options.reps or 3 do
            local value, noise = 50 * 2 ^ i, 1 + 0.0002 * ((i * 7 + rep * 5) % 4 - 1.5)
            local seconds = options.seconds and value * noise or nil
            local truth = value * (1 - (options.low or 0) / 100) * noise
            local measured = type(fault) == "function" and fault(truth, i, rep) or fault * truth
            local per = seconds or 1
            samples[#samples + 1] = {
                point = "p" .. i, rep = rep, thread = 0, unit = options.seconds and "MBytes/s" or "GBytes", seconds = seconds,
                measured = measured / per, work = value / per,
                expected = { min = value * (1 - (options.low or 0) / 100) / per, value = value / per, max = value / per },
            }
        end
    end
    return samples
end

local function every(fault, options)
    return campaign({ fault, fault, fault, fault }, options)
end

local function metric(samples, tolerance)
    return judge.metric(samples, { tolerance_pct = tolerance or 1 })
end

describe("injected faults", function()
    for _, options in ipairs { {}, { seconds = true }, { reps = 1 } } do
        local where = options.seconds and "a rate" or options.reps and "points measured once" or "an amount"
        for _, factor in ipairs { 0.01, 0.6, 1.05, 3 } do
            it(("scale %g on %s"):format(factor, where), function()
                local result = metric(every(factor, options), 2)
                assert.equal("multiplicative", result.class)
                assert.equal("correctable", result.verdict)
                assert.near(factor, result.correction.factor, 0.01 * factor)
                assert.is_true(result.correction.factor_ci[1] < factor and factor < result.correction.factor_ci[2])
                assert.is_true(result.correction.error_pct.max <= 2)
            end)
        end

        it("add on " .. where, function()
            local result = metric(every(function(truth) return truth + 5000 end, options))
            assert.equal("bias", result.class)
            assert.equal("correctable", result.verdict)
            assert.near(5000, result.correction.offset, 50)
            assert.equal(1, result.correction.factor)
            assert.equal(options.seconds and "MBytes" or "GBytes", result.correction.offset_unit)
        end)
    end

    it("stray counts of an event that counts nothing", function()
        local result = metric(every(function(_, i, rep) return (i * 5 + rep) % 3 * 0.01 end))
        assert.equal("missing", result.class)
        assert.equal("missing", result.verdict)
        assert.equal("0, except for a few stray counts", result.reason)
        -- beyond the tolerance of the smallest point they are no longer stray counts
        assert.equal("unknown", metric(every(function(_, i, rep) return (i * 5 + rep) % 3 * 3 end)).class)
    end)

    it("finds the factor if true counts lie at the low end of their interval", function()
        local result = metric(every(0.6, { low = 1 }))
        assert.equal("multiplicative", result.class)
        assert.near(0.6, result.correction.factor, 0.006)
        assert.is_true(result.correction.factor_ci[1] <= 0.6 and result.correction.factor_ci[2] >= 0.6)
        assert.equal("exact", metric(every(1, { low = 1 })).class)
        assert.equal("exact", metric(every(0.992, { low = 1 })).class)
    end)

    it("finds a factor although true counts lie anywhere in intervals wider than the tolerance", function()
        local samples = every(0.6, { low = 2 })
        for i, sample in ipairs(samples) do
            sample.measured = 0.6 * (i % 4 == 0 and sample.expected.max or sample.expected.min)
        end
        local result = metric(samples)
        assert.equal("multiplicative", result.class)
        assert.near(0.6, result.correction.factor, 0.006)
    end)

    it("spike", function()
        local result = metric(every(function(truth, i, rep) return truth * ((i + rep) % 4 == 0 and 10 or 1) end))
        assert.equal("random", result.class)
        assert.equal("rejected", result.verdict)
        assert.matches("^repetitions of one point differ by up to 900 %%; 3 of 12 samples are far off, the median is", result.reason)
    end)

    it("spike on points measured once is recognised only among right points", function()
        assert.equal("random", metric(campaign({ 1, 1, 4, 1, 1 }, { reps = 1 })).class)
        assert.equal("unknown", metric(campaign({ 1, 1, 1, 1, 0.2 }, { reps = 1 })).class)
    end)

    it("a wrong value that repeats at its point is not random", function()
        assert.equal("unknown", metric(campaign { 1, 1, 4, 1, 1 }).class)
    end)

    it("repetitions that agree are not random either", function()
        local samples = campaign({ 1, 1.03, 1.014, 0.99, 1.02 }, { reps = 1 })
        samples[6] = campaign({ 1.005 }, { reps = 1 })[1]
        assert.equal("unknown", metric(samples).class)
    end)

    it("jitter", function()
        local random = synthetic.random(5)
        local noisy = every(function(truth) return truth * (1 + 0.05 * random.normal()) end, { reps = 5 })
        assert.equal("random", metric(noisy).class)
    end)

    it("stuck, wrap and swap", function()
        assert.equal("missing", metric(every(function() return 250 end)).class)
        assert.equal("missing", metric(every(function() return 250 end, { seconds = true })).class)
        assert.equal("missing", metric(every(function() return 0 end)).class)
        assert.equal("unknown", metric(every(function(truth) return truth % 256 end)).class)
        assert.equal("unknown", metric(every(function(_, i) return ({ 900, 20, 333, 70 })[i] end)).class)
    end)
end)

describe("what the data cannot tell", function()
    it("names a factor if expected values do not vary, and says that they do not", function()
        local samples = campaign { 1.05, 1.05 }
        for _, sample in ipairs(samples) do
            sample.measured = sample.measured * 100 / sample.expected.value
            sample.expected = { min = 100, value = 100, max = 100 }
        end
        local result = metric(samples, 2)
        assert.equal("multiplicative", result.class)
        assert.near(1.05, result.correction.factor, 1e-3)
        assert.equal("measured = 1.05 * expected; expectations vary too little to tell an offset from a factor", result.reason)
    end)

    it("distinguishes an offset from a factor by two points", function()
        assert.equal("bias", metric(campaign { 1.1, 1.05 }).class)
        assert.equal("multiplicative", metric(campaign { 1.1, 1.1 }).class)
    end)

    it("reports nothing from one sample", function()
        local result = metric(campaign({ 0.6 }, { reps = 1 }))
        assert.equal("unknown", result.class)
        assert.equal("measured at one size only, so the error may vary with the size", result.reason)
        assert.is_nil(result.correction)
        assert.equal("unknown", metric(campaign({ 0.6 }, { reps = 10 })).class)
        assert.equal("multiplicative", metric(campaign { 0.6, 0.6 }).class)
    end)

    -- Intervals of 1 % to each side, for example: a factor a little below 1 leads into them.
    it("reports no factor that the width of the intervals explains", function()
        local rows = {}
        for i, of in ipairs { { 98.4134, 100, 100.845, 100.5 }, { 196.827, 200, 201.249, 201.2 }, { 295.24, 300, 302.592, 301.5 } } do
            rows[i] = deviation.row { point = "p" .. i, measured = of[4], expected = { min = of[1], value = of[2], max = of[3] } }
        end
        assert.is_nil(systematic.explain(rows, 2))
    end)

    -- Lines that a core took from another one: what a region's ends add is free up to 64 lines, which is much of the small sizes, and
    -- one large size may be 3 % lower. All truths at their lower ends is what a factor of 0.98 would look like; no sharp size fits it.
    it("reports the factor of sizes with narrow intervals, next to sizes with wide intervals", function()
        local rows = {}
        for i, of in ipairs {
            { 350, 350, 414, 739 - 372 }, { 700, 700, 764, 739 }, { 1750, 1750, 1814, 1841 }, { 2550, 2550, 2614, 2681 },
            { 15420, 15420, 15484, 16194 }, { 41000, 41000, 41064, 43052 }, { 317460, 327700, 327764, 343751 },
        } do
            rows[i] = deviation.row { point = "p" .. i, measured = of[4], expected = { min = of[1], value = of[2], max = of[3] } }
        end
        local found = systematic.explain(rows, 1)
        assert.equal("multiplicative", found.class)
        assert.is_true(1.03 < found.factor_ci[1] and found.factor_ci[1] <= 1.05 and 1.05 <= found.factor_ci[2], found.factor_ci[1])
    end)

    it("accepts a constant value that lies in all intervals", function()
        local samples = campaign { 1, 1 }
        for _, sample in ipairs(samples) do
            sample.expected.min, sample.measured = 90, 99
        end
        assert.equal("exact", metric(samples).class)
    end)

    it("accepts 0 if the interval begins at 0", function()
        local samples = every(0)
        for _, sample in ipairs(samples) do
            sample.expected.min = 0
        end
        assert.equal("exact", metric(samples).class)
        samples[1].measured = samples[1].expected.max * 1.5
        assert.equal("random", metric(samples).class)
    end)
end)

describe("errors", function()
    it("are relative to the nominal value, or to the interval's end if that is 0", function()
        assert.near(10, deviation.error_pct(110, { min = 90, value = 100, max = 120 }), 1e-12)
        assert.near(50, deviation.error_pct(60, { min = 0, value = 0, max = 120 }), 1e-12)
        assert.is_nil(deviation.error_pct(1, { min = 0, value = 0, max = 0 }))
    end)
end)

describe("where 0 is expected", function()
    local function zero(list)
        local samples = {}
        for i, measured in ipairs(list) do
            samples[i] = { point = "p" .. i, measured = measured, work = 1000 * 2 ^ i, expected = { min = 0, value = 0, max = 0 } }
        end
        return samples
    end

    it("a constant residue is a bias", function()
        local result = metric(zero { 300, 301, 299, 300 })
        assert.equal("bias", result.class)
        assert.near(300, result.correction.offset, 3)
        assert.is_nil(result.correction.error_pct)
        assert.is_true(result.correction.residue_pct.max < 1)
    end)

    it("a residue proportional to the work, or seen at one amount of work only, is unknown", function()
        assert.equal("unknown", metric(zero { 600, 1200, 2400, 4800 }).class)
        local samples = zero { 300, 300, 300 }
        for _, sample in ipairs(samples) do
            sample.work = 1000
        end
        assert.equal("unknown", metric(samples).class)
    end)
end)

describe("expectations that are no counts", function()
    for text, expected in pairs {
        ["min = nan"] = { min = 0 / 0, value = 1, max = 1 },
        ["value = nil"] = { min = 1, max = 1 },
        ["max = inf"] = { min = 1, value = 1, max = math.huge },
        ["value = -3"] = { min = 0, value = -3, max = 1 },
    } do
        it("stop the judgement: " .. text, function()
            local ok, message = pcall(metric, { { group = "G", metric = "M", point = "p1", measured = 1, work = 1, expected = expected } })
            assert.is_false(ok)
            assert.equal(("M of G, point p1: the model expects %s, which is no count"):format(text), (message:gsub("%-nan", "nan")))
        end)
    end

    it("stop it if the interval does not contain its value, or 0 is expected without a work amount", function()
        local sample = { group = "G", metric = "M", point = "p1", measured = 1, work = 1, expected = { min = 2, value = 1, max = 3 } }
        assert.has_error(function() metric { sample } end, "M of G, point p1: the expected value 1 is not inside its interval 2 .. 3")
        sample.expected, sample.work = { min = 0, value = 0, max = 0 }, 0
        assert.has_error(function() metric { sample } end, "M of G, point p1: 0 is expected, but there is no work to compare 1 with")
    end)
end)
