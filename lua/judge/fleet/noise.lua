-- noise.lua - how far noise alone moves a metric's values from their median, estimated from the nodes of a group.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Noise may have tails up to exponential ones, on both sides or on one, and different sizes in different metrics. Only median and
-- MAD are used, which tolerate up to 50 % outliers (25 % on one side, if limits are to stay narrow). The reach is the distance that noise
-- exceeds with probability p at most. Two estimates get p / 2 each, and the smaller one holds:
--
-- By the middle. The distances of the n - 1 others from a median that is one of the values are, for Laplace's noise, as random as
-- 2 k = n - 1 exponential ones, or farther; the median absolute deviation (MAD) is the k-th smallest of them. Gaps between exponential
-- values in order are independent (A. Renyi, Acta Math. Acad. Sci. Hung. 4 (1953) 191), so a value is farther than t MAD with the
-- probability
--     P(t) = 1/2 * product over m = k + 1 .. 2 k of m / (m + t - 1)
-- which contains how little so few values know of their noise; 2 k + 2 values have two in their middle, and no larger a probability.
-- - Noise on one side has a MAD of arsinh(1/2) of its slope instead of ln 2. Therefore the scale is the larger of the medians of the
--   distances above and below, and at most so many times the MAD.
-- - A metric has few values, its group many metrics, whose noise is alike in units of their tolerances. So the slope b of exponential
--   noise is one that another metric of the group shows, as likely as the density of the scale at b says, and then a share of
--   exp(-x / b) / 2 is farther than x; or, as likely as for one metric in all, it is like no other, and P(t) holds. (H. Robbins, Proc. 3rd
--   Berkeley Symp. 1 (1956) 157. The slopes shown scatter more than the true ones, which makes limits wider, not narrower.)
-- By the tails, where nodes are enough to see them, some 1000. If they fall like an exponential, the slope is seen between two quantiles of
-- the distances, of 97 % (before, one value in 20 from a wider distribution is hidden) and of all but the 1 % that may be wrong nodes, on
-- m distances, and a further one exceeds the upper quantile by x with the probability (1 + x / (m * slope))^-m. Noise without tails
-- would end too early: at least it is within t * s * sqrt(1 + pi / (2 n)), with s = 1.4826 * MAD, as exact as the standard deviation of
-- 0.37 (n - 1) values (F. R. Hampel, J. Amer. Statist. Assoc. 69 (1974) 383), so many degrees of freedom for Student's t, and
-- pi / 2 * s^2 / n the median's variance.
local distribution = require "judge.distribution"
local stats = require "judge.stats"

local noise = {}

local EFFICIENCY = 0.37 -- of the MAD
local SKEW = math.log(2) / math.log((1 + math.sqrt(5)) / 2) -- MADs of the same slope on both sides and on one: ln 2 / arsinh(1/2)
local BINS = 8 -- of slopes to a factor of e
local UNLIKE = 20 -- factors of e over which the slope lies that is like no other of its group
local TAIL, WRONG = 0.97, 0.01 -- where the line begins; share of nodes that may be wrong
local SEEN_LEAST = 20 -- distances for a slope

local log_gamma = distribution.log_gamma

-- The x > low > 0 at which a falling function is 0.
local function root(low, falling)
    local high = 2 * low
    while falling(high) > 0 do
        low, high = high, 2 * high
    end
    while high - low > 1e-9 * high do
        local middle = (low + high) / 2
        if falling(middle) > 0 then
            low = middle
        else
            high = middle
        end
    end
    return high
end

-- P(t), t >= 1: the product as a quotient of Gamma functions.
function noise.farther(t, k)
    return math.exp(log_gamma(2 * k + 1) - log_gamma(k + 1) + log_gamma(k + t) - log_gamma(2 * k + t)) / 2
end

-- Of 2 k exponential values of the slope 1 the k-th smallest: its mean, and the density of its logarithm.
local function middle_mean(k)
    local mean = 0
    for m = k + 1, 2 * k do
        mean = mean + 1 / m
    end
    return mean
end

local function middle_density(x, k)
    local arrangements = log_gamma(2 * k + 1) - log_gamma(k) - log_gamma(k + 1)
    return math.exp(arrangements + math.log(x) + (k - 1) * math.log(1 - math.exp(-x)) - (k + 1) * x)
end

-- The distances from the median, ascending.
local function distances_of(sorted, median)
    local distances = {}
    for i, value in ipairs(sorted) do
        distances[i] = math.abs(value - median)
    end
    table.sort(distances)
    return distances
end

-- The larger one of the medians of the distances above and below.
local function farther_side(sorted, median)
    local k = (#sorted - 1) // 2
    local place = (k + 1) // 2
    return math.max(median - sorted[k + 1 - place], sorted[#sorted - k + place] - median)
end

-- What is known of at least three values: { n, k, median, min, max, mad, scale, distances }.
function noise.spread(values)
    local sorted = stats.sorted(values)
    local median = stats.middle(sorted)
    local distances = distances_of(sorted, median)
    local mad = distances[#distances // 2 + 1]
    local scale = math.max(mad, math.min(farther_side(sorted, median), SKEW * mad))
    return { n = #sorted, k = (#sorted - 1) // 2, median = median, min = sorted[1], max = sorted[#sorted], mad = mad, scale = scale,
        distances = distances }
end

local function bin_of(spread, tolerance)
    return math.floor(BINS * math.log(spread.scale / middle_mean(spread.k) / tolerance) + 0.5)
end

-- How many metrics of a group have noise of which slope, in tolerances: { [bin] = number }. `list`: array of { spread, tolerance }.
function noise.slopes(list)
    local bins = {}
    for _, entry in ipairs(list) do
        if entry.spread.scale > 0 then
            local bin = bin_of(entry.spread, entry.tolerance)
            bins[bin] = (bins[bin] or 0) + 1
        end
    end
    return bins
end

-- The slopes that a metric of such a scale may have, in tolerances: array of { slope, weight }, and the weight of one like no other.
local function likely_slopes(spread, tolerance, bins)
    local own, list, sum = bin_of(spread, tolerance), {}, 1 / UNLIKE
    for bin, count in pairs(bins) do
        local slope = math.exp(bin / BINS)
        local weight = (bin == own and count - 1 or count) * middle_density(spread.scale / tolerance / slope, spread.k)
        list[#list + 1] = { slope = slope, weight = weight }
        sum = sum + weight
    end
    for _, entry in ipairs(list) do
        entry.weight = entry.weight / sum
    end
    return list, 1 / UNLIKE / sum
end

local function middle_reach(spread, tolerance, bins, p)
    local list, rest = likely_slopes(spread, tolerance, bins)
    return root(spread.scale, function(reach)
        local share = rest * noise.farther(reach / spread.scale, spread.k)
        for _, entry in ipairs(list) do
            share = share + entry.weight * math.exp(-reach / tolerance / entry.slope) / 2
        end
        return share - p
    end)
end

-- nil where the nodes are too few to see tails.
local function tails_reach(spread, p)
    local wrong = math.ceil(WRONG * spread.n)
    local first, last = math.ceil(TAIL * spread.n), spread.n - wrong
    local seen = last - first
    if seen < SEEN_LEAST then
        return nil
    end
    local slope = (spread.distances[last] - spread.distances[first]) / math.log((1 - TAIL) * spread.n / wrong)
    local tails = spread.distances[last] + slope * seen * (math.max(wrong / spread.n / p, 1) ^ (1 / seen) - 1)
    local normal = distribution.t_quantile(1 - p, EFFICIENCY * (spread.n - 1)) * math.sqrt(1 + math.pi / (2 * spread.n))
    return math.max(tails, normal * stats.NORMAL_MAD * spread.mad)
end

-- `bins`: noise.slopes of the group. 0 where more than half of the values are identical: nothing is known of their noise then.
function noise.reach(spread, tolerance, bins, p)
    if spread.scale == 0 then
        return 0
    end
    return math.min(middle_reach(spread, tolerance, bins, p / 2), tails_reach(spread, p / 2) or math.huge)
end

return noise
