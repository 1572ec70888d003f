-- synthetic.lua - generated metrics whose error class is known, for the test of the judgement.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A campaign varies: 2 to 8 points (at least 4 where a class needs them), 1 to 10 repetitions, 1 or 2 threads, magnitudes from 1e2 to
-- 1e10, sizes in equal ratios that span a factor of 1.5 to 64, tolerances of 0.1, 1 and 2 %, intervals of up to one tolerance (below
-- the value, above it or both) in which the truth lies anywhere, and noise of a standard deviation of up to 0.25 tolerances, cut at 3.
local synthetic = {}

local NOISE_CUT = 3

-- How many random cases a test takes: `few` in `make test`, `all` if TEST_FULL is set (`make test-full`).
function synthetic.cases(few, all)
    return (os.getenv "TEST_FULL" or "") ~= "" and all or few
end

-- A random number generator (Park, Miller: Comm. ACM 31 (1988) 1192), so that cases are the same on every machine.
function synthetic.random(seed)
    local state = seed % 2147483646 + 1
    local random = {}
    function random.unit()
        state = state * 48271 % 2147483647
        return state / 2147483647
    end
    function random.between(low, high) return low + (high - low) * random.unit() end
    function random.ratio(low, high) return low * (high / low) ^ random.unit() end
    function random.whole(low, high) return low + math.floor(random.unit() * (high - low + 1)) end
    function random.pick(list) return list[random.whole(1, #list)] end
    function random.sign() return random.unit() < 0.5 and -1 or 1 end
    function random.normal() return math.sqrt(-2 * math.log(random.unit())) * math.cos(2 * math.pi * random.unit()) end
    for _ = 1, 10 do
        random.unit()
    end
    return random
end

local function interval(random, value, tolerance)
    local width = value * tolerance / 100 * random.unit()
    local shape = random.pick { "none", "below", "above", "both" }
    return {
        min = value - ((shape == "below" or shape == "both") and width or 0),
        value = value,
        max = value + ((shape == "above" or shape == "both") and width or 0),
    }
end

-- { tolerance =, samples =, points =, reps =, first = smallest expectation, span = }. Every sample holds `truth`, what a perfect
-- counter counts, with a little noise, as its measured value, and `index` of its point.
function synthetic.campaign(random, least)
    local made = {
        tolerance = random.pick { 0.1, 1, 2 },
        points = random.whole(least.points or 2, math.max(8, least.points or 2)),
        reps = random.whole(least.reps or 1, 10),
        first = random.ratio(1e2, 1e10),
        span = random.ratio(least.span or 1.5, 64),
        samples = {},
    }
    local threads, sigma = random.whole(1, 2), random.between(0, 0.25)
    for point = 1, made.points do
        local value = made.first * made.span ^ ((point - 1) / math.max(1, made.points - 1))
        for thread = 1, threads do
            local expected = interval(random, value, made.tolerance)
            for rep = 1, made.reps do
                local noise = math.max(-NOISE_CUT, math.min(NOISE_CUT, random.normal()))
                local truth = random.between(expected.min, expected.max)
                made.samples[#made.samples + 1] = {
                    point = "p" .. point,
                    index = point,
                    thread = thread,
                    rep = rep,
                    expected = expected,
                    work = value,
                    measured = truth * (1 + noise * sigma * made.tolerance / 100),
                }
            end
        end
    end
    return made
end

local function change(made, fault)
    for _, sample in ipairs(made.samples) do
        sample.measured, sample.why = fault(sample)
    end
    return made
end

-- A factor at least five tolerances away from 1.
local function wrong_factor(random, tolerance)
    local least = 5 * tolerance / 100
    return random.unit() < 0.5 and random.ratio(0.1, 1 - least) or random.ratio(1 + least, 10)
end

-- An offset of at least ten tolerances of the smallest expectation, and at most three times of it; negative ones leave half.
local function wrong_offset(random, made)
    local size = random.ratio(10 * made.tolerance / 100, 3)
    return made.first * (size < 0.5 and random.sign() or 1) * size
end

local makers = {}

function makers.exact(random)
    return synthetic.campaign(random, {})
end

function makers.bias(random)
    local made = synthetic.campaign(random, { span = 2, points = 4 }) -- of two sizes the larger alone says little about an offset
    made.factor, made.offset = 1, wrong_offset(random, made)
    return change(made, function(sample) return sample.measured + made.offset end)
end

function makers.multiplicative(random)
    local with_offset = random.unit() < 0.3
    local made = synthetic.campaign(random, { span = 2, points = with_offset and 4, reps = with_offset and 2 })
    made.factor, made.offset = wrong_factor(random, made.tolerance), 0
    if with_offset then
        made.offset = made.factor * wrong_offset(random, made)
    end
    return change(made, function(sample) return sample.measured * made.factor + made.offset end)
end

-- Spikes of at most a third of the samples, or gaussian noise; at least two samples are visibly off.
function makers.random(random)
    local made = synthetic.campaign(random, { points = 2, reps = 3 })
    local jitter = made.tolerance / 100 * random.ratio(1.5, 10)
    local height, count = random.ratio(1.5, 10) ^ random.sign(), math.max(1, math.floor(#made.samples * random.between(0.05, 0.34)))
    if random.unit() < 0.5 then
        return change(made, function(sample) return sample.measured * (1 + jitter * random.normal()) end)
    end
    for _ = 1, count do
        local sample = random.pick(made.samples)
        if not sample.hit then
            sample.hit, sample.measured = true, sample.measured * height
        end
    end
    return made
end

-- Errors that repeat at their point and that no line can fit.
local UNKNOWN = {
    alternating = function(random, made)
        local factor = wrong_factor(random, made.tolerance)
        return function(sample) return sample.measured * (sample.index % 2 == 0 and factor or 1 / factor) end
    end,
    saturated = function(random, made)
        local limit = made.first * made.span * random.between(0.3, 0.6)
        return function(sample) return math.min(sample.measured, limit) end
    end,
    one_point = function(random, made)
        local wrong, factor = random.whole(2, made.points - 1), wrong_factor(random, made.tolerance)
        return function(sample) return sample.measured * (sample.index == wrong and factor or 1) end
    end,
    squared = function(_, made)
        return function(sample) return sample.measured * (1 + sample.measured / made.first) end
    end,
    partly_absent = function(random, made)
        local wrong, word = random.whole(1, made.points), random.pick { "wrapped", "dash", "nan" }
        return function(sample)
            if sample.index == wrong then
                return nil, word
            end
            return sample.measured
        end
    end,
    spiked_factor = function(random, made)
        local factor, height = wrong_factor(random, made.tolerance), random.ratio(2, 10)
        return function(sample) return sample.measured * factor * ((sample.rep == 1 and sample.index == 2) and height or 1) end
    end,
}
local UNKNOWN_NAMES = { "alternating", "saturated", "one_point", "squared", "partly_absent", "spiked_factor" }

function makers.unknown(random)
    local made = synthetic.campaign(random, { points = 5, reps = 3, span = 8 })
    made.kind = random.pick(UNKNOWN_NAMES)
    return change(made, UNKNOWN[made.kind](random, made))
end

function makers.missing(random)
    local made = synthetic.campaign(random, {})
    local value = random.pick { 0, made.first * random.ratio(0.01, 100) }
    local word = random.pick { "dash", "not programmed", "missing region", "wrapped" }
    local is_absent = random.unit() < 0.3
    return change(made, function()
        if is_absent then
            return nil, word
        end
        return value
    end)
end

synthetic.CLASSES = { "exact", "bias", "multiplicative", "random", "unknown", "missing" }

-- A campaign of a class; the same for the same seed.
function synthetic.make(class, seed)
    return makers[class](synthetic.random(seed))
end

return synthetic
