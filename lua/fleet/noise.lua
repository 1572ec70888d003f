-- noise.lua - how far from their median the values of a metric are by noise alone, from the values of a group's nodes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The median and the median absolute deviation (MAD) tolerate up to 50 % outliers. Noise may have tails up to exponential ones (Laplace's
-- distribution), on both sides or on one. The distances of n - 1 such values from a median that is one of the values are as random as
-- 2 k = n - 1 exponential ones; the MAD is the k-th smallest. Gaps between exponential values in order are independent (A. Renyi, Acta
-- Math. Acad. Sci. Hung. 4 (1953) 191), so a value is farther from the median than t MAD with the probability
--     P(t) = 1/2 * product over m = k + 1 .. 2 k of m / (m + t - 1)
-- This includes the uncertainty of a MAD of few values. 2 k + 2 values have no larger a probability.
-- The MAD of noise on one side is arsinh(1/2) of its slope instead of ln 2. Therefore the scale is the larger of the medians of the
-- distances above and below the median, and at most SKEW MAD.
local distribution = require "numeric.distribution"

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

-- Of at least three values in ascending order, and their median.
function noise.scale(sorted, median)
    local distances = {}
    for i, value in ipairs(sorted) do
        distances[i] = math.abs(value - median)
    end
    table.sort(distances)
    local mad = distances[#distances // 2 + 1]
    return math.max(mad, math.min(farther_side(sorted, median), SKEW * mad))
end

-- The t >= 1 with P(t) = p, to the accuracy of 1e-9: P falls.
function noise.quantile(p, k)
    local low, high = 1, 2
    while noise.farther(high, k) > p do
        low, high = high, 2 * high
    end
    while high - low > 1e-9 * high do
        local middle = (low + high) / 2
        if noise.farther(middle, k) > p then
            low = middle
        else
            high = middle
        end
    end
    return high
end

return noise
