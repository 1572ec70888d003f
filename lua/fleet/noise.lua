-- noise.lua - the distribution of distances from the median that noise alone causes, estimated from a group's values of a metric.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The median and the median absolute deviation (MAD) tolerate up to 50 % outliers. Noise is assumed to have at most exponential tails
-- (Laplace's distribution), on one side or both. With n = 2 k + 1 the median is one of the values. The distances of the 2 k
-- others are then exponentially distributed, and the MAD is the k-th smallest. Gaps between sorted exponential values are independent
-- (A. Renyi, Acta Math. Acad. Sci. Hung. 4 (1953) 191). So a value is farther from the median than t MAD with the probability
--     P(t) = 1/2 * product over m = k + 1 .. 2 k of m / (m + t - 1)
-- This includes the uncertainty of the MAD of few values. For 2 k + 2 values the probability is not larger. The MAD of one-sided
-- noise is arsinh(1/2) times its scale instead of ln 2. Therefore the scale is the larger of the median distances above and below
-- the median, within MAD .. SKEW MAD.
local distribution = require "numeric.distribution"
local lists = require "input.lists"

local noise = {}

local SKEW = math.log(2) / math.log((1 + math.sqrt(5)) / 2) -- ln 2 / arsinh(1/2)

local log_gamma = distribution.log_gamma

-- P(t), t >= 1: the product as a quotient of Gamma functions.
function noise.farther(t, k)
    return math.exp(log_gamma(2 * k + 1) - log_gamma(k + 1) + log_gamma(k + t) - log_gamma(2 * k + t)) / 2
end

local function farther_side(sorted, median)
    local k = (#sorted - 1) // 2
    local place = (k + 1) // 2
    return math.max(median - sorted[k + 1 - place], sorted[#sorted - k + place] - median)
end

-- The scale of at least three ascending values with this median.
function noise.scale(sorted, median)
    local distances = lists.map(sorted, function(value) return math.abs(value - median) end)
    table.sort(distances)
    local mad = distances[#distances // 2 + 1]
    return math.max(mad, math.min(farther_side(sorted, median), SKEW * mad))
end

-- The t >= 1 with P(t) = p, accurate to 1e-9; P decreases.
function noise.quantile(p, k)
    local low, high = 1, 2
    while noise.farther(high, k) > p do
        low, high = high, 2 * high
    end
    while high - low > 1e-9 * high do
        local middle = (low + high) / 2
        local is_below = noise.farther(middle, k) > p
        low, high = is_below and middle or low, is_below and high or middle
    end
    return high
end

return noise
