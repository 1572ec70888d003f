-- limits.lua - how far a node's value may be from those of its peers.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- As far as noise alone reaches with the probability p = false alarms / tests (noise.lua). This is Bonferroni's correction: the rate of
-- false alarms over all tests together is at most the rate that was asked for, whatever depends on what. Identical counts have no noise.
-- Then, and whenever noise reaches less far, the limit is a quarter of the metric's tolerance: the suite itself calls that nothing.
local noise = require "fleet.noise"
local stats = require "numeric.stats"

local limits = {}

limits.LEAST = 3 -- values: of two that differ nobody knows which is right

local RELEVANT = 0.25 -- of a tolerance
local TOLERANCE = 0.1 -- % of a metric that has none

-- A difference that counts for something.
function limits.relevant(tolerance_pct)
    return RELEVANT * (tolerance_pct or TOLERANCE)
end

-- `columns`: for each metric of a group an array of the nodes' values; `tolerances` of the metrics in %, nil for a metric without one;
-- `tests`: the number of values that are compared in the whole fleet. -> array of { median, n, limit = nil for fewer than LEAST values },
-- false for a metric without values.
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
