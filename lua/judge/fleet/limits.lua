-- limits.lua - how far a node's value may be from those of its peers.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Of n peers only the middle is believed: median and median absolute deviation (MAD), which up to half of the nodes may have wrong
-- without moving them far. A further value lies within median +- t * s * sqrt(1 + pi / (2 n)) with the probability 1 - p, where
--   s = 1.4826 * MAD, for normal noise its standard deviation, as exact as one from 0.37 (n - 1) values (F. R. Hampel, J. Amer. Statist.
--       Assoc. 69 (1974) 383): so many degrees of freedom has t, Student's quantile for p; in small groups it is huge, as it must be;
--       the median itself has the variance pi / 2 * s^2 / n;
--   p = false alarms / tests, Bonferroni's: whatever depends on what, the rate of false alarms over all tests together is at most that.
-- From 30 peers on s is at least what the 90th percentile of the distances says, for noise has longer tails than the normal one.
-- MAD is 0 where more than half of the counts are identical. Then, and whenever it is less, the limit is a quarter of the metric's
-- tolerance: what differs by less is not worth a walk to the node, and is no larger than what the suite itself calls nothing.
local distribution = require "judge.distribution"
local stats = require "judge.stats"

local limits = {}

limits.LEAST = 3 -- values: of two that differ nobody knows which is right

local EFFICIENCY = 0.37 -- of the MAD
local RELEVANT = 0.25 -- of a tolerance
local TOLERANCE = 0.1 -- % of a metric that has none
local TAIL, TAIL_LEAST, TAIL_NORMAL = 0.9, 30, 1.6449 -- 90 % of normal values lie within 1.6449 standard deviations

-- Student's quantiles for one p, by the number of peers. `tests`: how many values are looked at in all.
function limits.quantiles(false_alarms, tests)
    local known, p = {}, false_alarms / math.max(tests, 1)
    return function(count)
        if not known[count] then
            known[count] = distribution.t_quantile(1 - p, EFFICIENCY * (count - 1)) * math.sqrt(1 + math.pi / (2 * count))
        end
        return known[count]
    end
end

-- The noise of values, as a standard deviation.
local function scale_of(values, median)
    local distances = {}
    for i, value in ipairs(values) do
        distances[i] = math.abs(value - median)
    end
    table.sort(distances)
    local count = #distances
    local middle = count % 2 == 1 and distances[count // 2 + 1] or (distances[count // 2] + distances[count // 2 + 1]) / 2
    local scale = stats.NORMAL_MAD * middle
    if count >= TAIL_LEAST then
        scale = math.max(scale, distances[math.ceil(TAIL * count)] / TAIL_NORMAL)
    end
    return scale
end

-- A difference that counts for something.
function limits.relevant(tolerance_pct)
    return RELEVANT * (tolerance_pct or TOLERANCE)
end

-- { n, median, scale, min, max, limit } of the peers' values, an array; `limit` is nil for fewer than LEAST. nil without values.
function limits.of(values, tolerance_pct, quantile)
    local count = #values
    if count == 0 then
        return nil
    end
    local low, high = stats.range(values)
    local median = stats.median(values)
    local scale = scale_of(values, median)
    local limit
    if count >= limits.LEAST then
        limit = limits.relevant(tolerance_pct)
        if scale > 0 then
            limit = math.max(limit, quantile(count) * scale)
        end
    end
    return { n = count, median = median, scale = scale, min = low, max = high, limit = limit }
end

return limits
