-- limits.lua - how far a node's value may be from those of its peers.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Of n peers only the middle is believed: median and median absolute deviation (MAD), which up to half of the nodes may have wrong
-- without moving them far. A further value lies within median +- t * s * sqrt(1 + pi / (2 n)) with the probability 1 - p, where
--   s = 1.4826 * MAD, for normal noise its standard deviation, as exact as one from 0.37 (n - 1) values (F. R. Hampel, J. Amer. Statist.
--       Assoc. 69 (1974) 383): so many degrees of freedom has t, Student's quantile for p; in small groups it is huge, as it must be;
--       the median itself has the variance pi / 2 * s^2 / n;
--   p = false alarms / tests, Bonferroni's: whatever depends on what, the rate of false alarms over all tests together is at most that.
-- Noise may have longer tails than the normal one. From 300 peers on these show, and the limit is at least where they end if they fall
-- like an exponential: its slope is seen between two quantiles of the distances, of 90 % and of all but the 1 % (four at least) that may be
-- wrong nodes, on m distances, and a further distance then exceeds the upper quantile by x with the probability (1 + x / (m * slope))^-m.
-- For normal noise that is some 1.4 times too far. Longer tails than an exponential's, or tails in fewer nodes, raise false alarms.
-- MAD is 0 where more than half of the counts are identical. Then, and whenever it is less, the limit is a quarter of the metric's
-- tolerance: what differs by less is not worth a walk to the node, and is no larger than what the suite itself calls nothing.
local distribution = require "judge.distribution"
local stats = require "judge.stats"

local limits = {}

limits.LEAST = 3 -- values: of two that differ nobody knows which is right

local EFFICIENCY = 0.37 -- of the MAD
local RELEVANT = 0.25 -- of a tolerance
local TOLERANCE = 0.1 -- % of a metric that has none
local TAILS_LEAST = 300 -- peers for quantiles of the tails
local TAIL, WRONG, WRONG_LEAST = 0.9, 0.01, 4 -- where the line begins; share of nodes, and how many, that may be wrong

-- What limits are made with: p of a single test, and Student's quantiles for it by the number of peers. `tests`: how many values are
-- looked at in all.
function limits.rule(false_alarms, tests)
    local known, p = {}, false_alarms / math.max(tests, 1)
    local function quantile(count)
        if not known[count] then
            known[count] = distribution.t_quantile(1 - p, EFFICIENCY * (count - 1)) * math.sqrt(1 + math.pi / (2 * count))
        end
        return known[count]
    end
    return { p = p, quantile = quantile }
end

-- The distances from the median, ascending.
local function distances_of(values, median)
    local distances = {}
    for i, value in ipairs(values) do
        distances[i] = math.abs(value - median)
    end
    table.sort(distances)
    return distances
end

-- Where exponential tails of many distances have fallen to p.
local function tail_end(distances, p)
    local count = #distances
    local wrong = math.max(WRONG_LEAST, math.ceil(WRONG * count))
    local first, last = math.ceil(TAIL * count), count - wrong
    local slope = (distances[last] - distances[first]) / math.log((1 - TAIL) * count / wrong)
    local seen = last - first
    return distances[last] + slope * seen * (math.max(wrong / count / p, 1) ^ (1 / seen) - 1)
end

-- How far from the median a value may be, by the peers' noise alone.
local function noise_limit(distances, scale, rule)
    local reach = scale > 0 and rule.quantile(#distances) * scale or 0
    if #distances >= TAILS_LEAST then
        reach = math.max(reach, tail_end(distances, rule.p))
    end
    return reach
end

-- A difference that counts for something.
function limits.relevant(tolerance_pct)
    return RELEVANT * (tolerance_pct or TOLERANCE)
end

-- { n, median, scale, min, max, limit } of the peers' values, an array; `limit` is nil for fewer than LEAST. nil without values.
function limits.of(values, tolerance_pct, rule)
    local count = #values
    if count == 0 then
        return nil
    end
    local low, high = stats.range(values)
    local median = stats.median(values)
    local distances = distances_of(values, median)
    local scale = stats.NORMAL_MAD * (distances[(count + 1) // 2] + distances[count // 2 + 1]) / 2
    local limit
    if count >= limits.LEAST then
        limit = math.max(limits.relevant(tolerance_pct), noise_limit(distances, scale, rule))
    end
    return { n = count, median = median, scale = scale, min = low, max = high, limit = limit }
end

return limits
