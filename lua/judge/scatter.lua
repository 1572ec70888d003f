-- scatter.lua - finds random errors: single repetitions are far off, but the median is right.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rows: deviation.lua; deviations: in %, one per row. If points (of a thread) were repeated, the errors are random if all of these hold:
--   - repetitions of one point differ by more than the tolerance;
--   - points do not differ from each other more than their repetitions do: one-way analysis of variance, F test at ALIKE
--     (H. Scheffe: The Analysis of Variance, 1959, chapter 3). An error that recurs at its point is not random;
--   - the median over all samples is right: its distribution-free interval (distribution.lua) reaches into the tolerance.
-- Differences of a point and its base are left out, because they come from the same repetitions. Without repetitions only outliers among
-- right points can show random errors: see outliers(). They must lie between right points in the order of expectation: at the ends a
-- limit of the counter (wrap, saturation) would look the same.
local distribution = require "numeric.distribution"
local lists = require "input.lists"
local stats = require "numeric.stats"

local scatter = {}

local ALIKE, MEDIAN_CONFIDENCE = 0.001, 0.99
scatter.FAR_OFF = 3.5 -- modified z score: B. Iglewicz, D. C. Hoaglin: How to Detect and Handle Outliers, 1993
local LEAST_POINTS = 4 -- fewer points have no majority to compare an outlier with

-- The deviations by point, and whether a point was repeated.
local function group(rows, deviations)
    local groups = lists.group(deviations, function(_, i) return rows[i].point end)
    return groups, #groups < #rows
end

local function width(members)
    local low, high = stats.range(members)
    return high - low
end

-- p value of the F test: probability that equal points show group means that differ this much; 1 for one group.
function scatter.alike(groups, all)
    local mean, between, within = stats.mean(all), 0, 0
    for _, members in ipairs(groups) do
        local own = stats.mean(members)
        between = between + #members * (own - mean) ^ 2
        for _, value in ipairs(members) do
            within = within + (value - own) ^ 2
        end
    end
    local above, below = #groups - 1, #all - #groups
    if above < 1 or between == 0 then
        return 1
    end
    return within > 0 and distribution.f_over(between / above / (within / below), above, below) or 0
end

local function is_median_right(deviations, tolerance_pct)
    local low, high = distribution.median_interval(stats.sorted(deviations), MEDIAN_CONFIDENCE)
    return low <= tolerance_pct and high >= -tolerance_pct
end

-- Outliers: values far from the median in robust standard deviations, { [index] = true }, and their number. The standard
-- deviation is at least half of the tolerance, because values within the tolerance of each other are equally good.
function scatter.outliers(values, tolerance_pct)
    local median = stats.median(values)
    local spread = math.max(stats.NORMAL_MAD * stats.mad(values), tolerance_pct / 2)
    local found, count = {}, 0
    for i, value in ipairs(values) do
        if math.abs(value - median) > scatter.FAR_OFF * spread then
            found[i], count = true, count + 1
        end
    end
    return found, count
end

local function test_repeated(groups, deviations, tolerance_pct)
    local spread = lists.most(groups, 0, width)
    if spread <= tolerance_pct or not is_median_right(deviations, tolerance_pct) or scatter.alike(groups, deviations) < ALIKE then
        return nil
    end
    local _, count = scatter.outliers(deviations, tolerance_pct)
    return ("repetitions of one point differ by up to %.3g %%; %d of %d samples are far off, the median is %.3g %%"):format(spread, count,
        #deviations, stats.median(deviations))
end

-- Are all other rows right, and is there a right one below and above every outlier?
local function is_between_right(rows, deviations, outliers, tolerance_pct)
    local low, high
    for i, row in ipairs(rows) do
        if not outliers[i] then
            if math.abs(deviations[i]) > tolerance_pct then
                return false
            end
            low, high = math.min(low or row.x, row.x), math.max(high or row.x, row.x)
        end
    end
    for i in pairs(outliers) do
        if rows[i].x <= low or rows[i].x >= high then
            return false
        end
    end
    return true
end

local function test_single(rows, deviations, tolerance_pct)
    local outliers, count = scatter.outliers(deviations, tolerance_pct)
    if #rows < LEAST_POINTS or count == 0 or not is_between_right(rows, deviations, outliers, tolerance_pct) then
        return nil
    end
    return ("%d of %d points, each measured once, are far off between points that are right"):format(count, #rows)
end

-- Rows and deviations without differences of regions (deviation.lua: regions = 0); all, if there are only differences.
local function independent(rows, deviations)
    local function is_kept(_, i) return rows[i].regions ~= 0 end
    local kept = lists.filter(rows, is_kept)
    if #kept == 0 then
        return rows, deviations
    end
    return kept, lists.filter(deviations, is_kept)
end

-- The largest difference between repetitions of one point, in % of their mean; nil if no point was repeated.
function scatter.repetitions_pct(rows)
    local groups, repeated = group(independent(rows, lists.map(rows, "y")))
    return repeated and lists.most(groups, 0, function(members)
        return width(members) > 0 and 100 * width(members) / math.abs(stats.mean(members)) or 0
    end) or nil
end

-- The reason why these deviations are random, or nil.
function scatter.explain(rows, deviations, tolerance_pct)
    local _, repeated = group(rows, deviations)
    if repeated then
        local own_rows, own = independent(rows, deviations)
        return test_repeated(group(own_rows, own), own, tolerance_pct)
    end
    return test_single(rows, deviations, tolerance_pct)
end

return scatter
