-- distribution.lua - Student's t and F distributions, and the sign test's interval for a median.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Formulas by number: M. Abramowitz, I. A. Stegun (ed.): Handbook of Mathematical Functions, 1964. tests/lua/stats_spec.lua
-- holds the results against the printed tables.
local distribution = {}

local TINY, EPSILON, ROUNDS = 1e-300, 1e-15, 500
local SHIFT = 12 -- from here on five terms of Stirling's series give full double precision

-- ln Gamma(x), x > 0: recurrence (6.1.15) up to SHIFT, then Stirling's series (6.1.41).
function distribution.log_gamma(x)
    local product = 1
    while x < SHIFT do
        product, x = product * x, x + 1
    end
    local square = x * x
    local series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / x
    return (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + series - math.log(product)
end

local log_gamma = distribution.log_gamma

-- The m-th coefficient of the continued fraction 26.5.8.
local function coefficient(m, a, b, x)
    local half = m // 2
    if m % 2 == 0 then
        return half * (b - half) * x / ((a + m - 1) * (a + m))
    end
    return -(a + half) * (a + b + half) * x / ((a + m - 1) * (a + m))
end

-- 1 / (1 + d1 / (1 + d2 / (1 + ...))), from the front: W. J. Lentz, Applied Optics 15 (1976) 668.
local function continued_fraction(a, b, x)
    local value, c, d = 1, 1, 0
    for m = 1, ROUNDS do
        local term = coefficient(m, a, b, x)
        c = 1 + term / c
        d = 1 + term * d
        c = math.abs(c) < TINY and TINY or c
        d = 1 / (math.abs(d) < TINY and TINY or d)
        value = value * c * d
        if math.abs(c * d - 1) < EPSILON then
            break
        end
    end
    return 1 / value
end

-- Regularised incomplete beta function I_x(a, b), a and b > 0, 0 <= x <= 1; mirrored (26.5.2) to where 26.5.8 converges fast.
function distribution.beta(x, a, b)
    if x <= 0 or x >= 1 then
        return x <= 0 and 0.0 or 1.0
    end
    if x > (a + 1) / (a + b + 2) then
        return 1 - distribution.beta(1 - x, b, a)
    end
    local front = a * math.log(x) + b * math.log(1 - x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b)
    return math.exp(front) / a * continued_fraction(a, b, x)
end

-- Share of Student's distribution with `freedom` degrees outside of -t .. t (26.7.1), t >= 0.
function distribution.t_outside(t, freedom)
    return distribution.beta(freedom / (freedom + t * t), freedom / 2, 0.5)
end

-- Density of Student's distribution with `freedom` degrees at t (26.7.1's integrand).
local function t_density(t, freedom)
    local front = log_gamma((freedom + 1) / 2) - log_gamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    return math.exp(front - (freedom + 1) / 2 * math.log(1 + t * t / freedom))
end

-- The t for which -t .. t contains the share `confidence` (0 < confidence < 1), by Newton's method from 0. t_outside is decreasing and
-- convex, so each step stays below the solution; the iteration ends when a step makes no progress.
function distribution.t_quantile(confidence, freedom)
    local t, before = 0, -1
    while t > before do
        before = t
        t = t + (distribution.t_outside(t, freedom) - (1 - confidence)) / (2 * t_density(t, freedom))
    end
    return before
end

-- Share of the F distribution with (above, below) degrees of freedom above f (26.6.2), f >= 0.
function distribution.f_over(f, above, below)
    return distribution.beta(below / (below + above * f), below / 2, above / 2)
end

-- Confidence interval for the median of the distribution, of any shape, that `sorted` (ascending, not empty) was drawn from: between
-- the k-th values from below and above, with the largest k of the sign test (W. J. Dixon, A. M. Mood, J. Amer. Statist. Assoc. 41
-- (1946) 557). With too few values for the confidence it is the whole range.
function distribution.median_interval(sorted, confidence)
    local count = #sorted
    local rank, term, tail = 0, 0.5 ^ count, 0
    while tail + term <= (1 - confidence) / 2 and rank < count // 2 do
        tail, rank = tail + term, rank + 1
        term = term * (count - rank + 1) / rank
    end
    rank = math.max(rank, 1)
    return sorted[rank], sorted[count + 1 - rank]
end

return distribution
