-- repetitions.lua - judges repeated samples of a noisy node: one median per point, and whether the repetitions are a random error.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Interrupts, daemons and other users' traffic disturb some repetitions on a native node, or on a virtual one with --noise. Nothing in a
-- single value distinguishes such noise from a wrong counter. So all metrics follow one rule, with errors in % of the nominal value:
--   centre  a point's median repetition; the lower one of two, because noise adds. The median tolerates up to half of the repetitions.
--   sd      NORMAL_MAD * median absolute deviation from the centre: the point's own, or the metric's over all points if that is larger
--   reach   SURE * MEDIAN_SD * sd / sqrt(repetitions): how far the centre may lie from the true median. The expected interval is widened
--           by it, because nothing can be said within it. This raises the smallest detectable error, so "validated" claims less.
-- A centre does not show an error of single repetitions. If a value is outside of its interval by more than the tolerance, the error is
-- random, not noise, if one of these holds. Distances here are relative to the centre's value, if that is above the nominal one.
--   wide    sd over all points is above WIDE: silicon's counts vary by a few per cent (docs/noise.md)
--   large   one repetition is off by more than LARGE, and no witness (witness.lua) shows a disturbance
--   often   more than OFTEN of all repetitions are far off
-- An error of single repetitions that is smaller and rarer cannot be distinguished from noise: `far_off` counts it, and no verdict changes.
-- Differences of two regions do not decide that, because they repeat the errors of their point.
local deviation = require "judge.deviation"
local lists = require "input.lists"
local scatter = require "judge.scatter"
local stats = require "numeric.stats"
local vocabulary = require "judge.vocabulary"

local repetitions = {}

local LEAST = 3 -- repetitions with a median
local SURE = 4 -- standard deviations: a record has some thousand points, and none may fail by chance
local MEDIAN_SD = 1.2533 -- standard deviation of the median of normal values / standard deviation of their mean
local WIDE, LARGE, OFTEN = 5, 50, 0.4 -- %, %, share

-- Bins of samples of one point and thread, in their order; a sample without value or expectation is in none.
local function bins_of(samples)
    local valued = lists.filter(samples, function(sample) return sample.measured and sample.expected end)
    local groups = lists.group(valued, function(sample) return vocabulary.identity(sample, { "point", "thread" }) end)
    return lists.map(groups, function(same)
        local bin = { samples = same, errors = {}, worst = 0, is_difference = same[1].regions == 0 }
        for i, row in ipairs(lists.map(same, deviation.row)) do
            local beyond, error_pct = deviation.of(row, row.y)
            bin.worst, bin.errors[i] = math.max(bin.worst, math.abs(beyond)), error_pct
        end
        return bin
    end)
end

-- Adds to a bin the index of its median repetition, and each repetition's distance from it in %.
local function centre(bin)
    local order = lists.map(bin.errors, function(_, i) return i end)
    table.sort(order, lists.by(function(i) return bin.errors[i] end, function(i) return i end))
    bin.middle = order[(#order + 1) // 2]
    bin.distances = lists.map(bin.errors, function(error_pct) return math.abs(error_pct - bin.errors[bin.middle]) end)
    bin.sd = stats.NORMAL_MAD * stats.median(bin.distances)
end

-- Returns the median sample of a bin with its expected interval widened by the reach; the error that is left possible in %, its distance
-- from the farther end of the interval plus the reach; and the reach in %. If only 0 is expected, the interval also gets the tolerance's
-- share of the work, to which the reach is added.
local function settled(bin, sd, tolerance_pct)
    local sample = bin.samples[bin.middle]
    local row, expected = deviation.row(sample), sample.expected
    local reach_pct = SURE * MEDIAN_SD * math.max(sd, bin.sd) / math.sqrt(#bin.errors)
    local exact_pct = 100 * math.max(math.abs(row.y - row.low), math.abs(row.high - row.y)) / row.scale + reach_pct
    if reach_pct == 0 then
        return sample, exact_pct, 0
    end
    local reach = (reach_pct + (row.high > 0 and 0 or tolerance_pct)) / 100 * row.scale / row.per
    local own = { min = math.max(0, expected.min - reach), value = expected.value, max = expected.max + reach, terms = expected.terms }
    return setmetatable({ expected = own }, { __index = sample }), exact_pct, reach_pct
end

-- Bins that are no differences of two regions; all bins if there is nothing else.
local function whole_ones(bins)
    local whole = lists.filter(bins, function(bin) return not bin.is_difference end)
    return #whole > 0 and whole or bins
end

-- The reason why the errors are random, or nil; and the number of repetitions that are far off.
local function explain(distances, sd, tolerance_pct)
    local far = math.max(tolerance_pct, scatter.FAR_OFF * sd)
    local count = lists.count(distances, function(distance) return distance > far end)
    local worst = stats.worst(distances)
    local is_often = count > OFTEN * #distances
    if sd <= WIDE and worst <= LARGE and not is_often then
        return nil, count
    end
    return ("repetitions of one point differ by up to %.3g %%, standard deviation %.3g %%; %d of %d are far off"):format(worst, sd, count,
        #distances), count
end

-- Distances of a bin's repetitions in % of its centre, or of the nominal value if that is larger: noise of a counter that counts
-- everything twice is twice as large.
local function relative(bin)
    local scale = math.max(1, 1 + bin.errors[bin.middle] / 100)
    return lists.map(bin.distances, function(distance) return distance / scale end)
end

-- samples of one metric, tolerance in % -> { samples = one per point and thread, and those without a value as they were; exact_pct,
-- reach_pct = of a centre, median over points; sd_pct =, far_off = number of repetitions, of = number of all,
-- random = reason |nil }; nil if a point has fewer than LEAST repetitions.
function repetitions.settle(samples, tolerance_pct)
    local bins = bins_of(samples)
    for _, bin in ipairs(bins) do
        if #bin.errors < LEAST then
            return nil
        end
        centre(bin)
    end
    if #bins == 0 then
        return nil
    end
    local whole = whole_ones(bins)
    local distances, exact, reach = lists.flat(whole, relative), {}, {}
    local sd = stats.NORMAL_MAD * stats.median(lists.flat(whole, function(bin) return bin.distances end))
    local kept = lists.map(bins, function(bin)
        local sample
        sample, exact[bin], reach[bin] = settled(bin, sd, tolerance_pct)
        return sample
    end)
    lists.append(kept, samples, function(sample) return not (sample.measured and sample.expected) and sample end)
    local reason, far_off = explain(distances, stats.NORMAL_MAD * stats.median(distances), tolerance_pct)
    local is_any_wrong = lists.any(whole, function(bin) return bin.worst > tolerance_pct end)
    local function middle_of(values) return stats.median(lists.map(whole, function(bin) return values[bin] end)) end
    return { samples = kept, exact_pct = middle_of(exact), reach_pct = middle_of(reach), sd_pct = sd, far_off = far_off, of = #distances,
        random = is_any_wrong and reason or nil }
end

return repetitions
