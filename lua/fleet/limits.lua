-- limits.lua - the limit for the distance of a node's value from its peers' median.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The limit is the distance that noise alone exceeds with the probability p = false alarms / tests (noise.lua): Bonferroni's correction.
-- The rate of false alarms over all tests together is at most the requested rate, however tests depend on each other. The limit is at
-- least a quarter of the metric's tolerance: smaller differences do not matter, and identical counts would give a limit of 0.
local noise = require "fleet.noise"
local stats = require "numeric.stats"

local limits = {}

limits.LEAST = 3 -- fewest values: of two, either may be the outlier

local RELEVANT = 0.25 -- of a tolerance
local TOLERANCE = 0.1 -- %, for metrics without one

-- The smallest relevant difference in %.
function limits.relevant(tolerance_pct)
    return RELEVANT * (tolerance_pct or TOLERANCE)
end

-- `columns`: for each metric of a group an array of the nodes' values; `tolerances` of the metrics in %, nil for a metric without one;
-- `tests`: number of values compared in the whole fleet. -> array of { median, n, limit = nil for fewer than LEAST values }, false for a
-- metric without values.
function limits.of(columns, tolerances, false_alarms, tests)
    local found, quantiles, p = {}, {}, false_alarms / math.max(tests, 1)
    for metric, values in ipairs(columns) do
        local sorted = stats.sorted(values)
        local median = stats.middle(sorted)
        found[metric] = #values > 0 and { n = #values, median = median }
        if #values >= limits.LEAST then
            local k = (#values - 1) // 2
            quantiles[k] = quantiles[k] or noise.quantile(p, k)
            found[metric].limit = math.max(limits.relevant(tolerances[metric]), noise.scale(sorted, median) * quantiles[k])
        end
    end
    return found
end

return limits
