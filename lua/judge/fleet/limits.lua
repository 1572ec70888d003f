-- limits.lua - how far a node's value may be from those of its peers.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- As far as noise alone reaches with the probability p (noise.lua), p = false alarms / tests, Bonferroni's: whatever depends on what, the
-- rate of false alarms over all tests together is at most that. Where more than half of the counts are identical there is no noise. Then,
-- and whenever it is less, the limit is a quarter of the metric's tolerance: what differs by less is not worth a walk to the node,
-- and is no larger than what the suite itself calls nothing.
local noise = require "judge.fleet.noise"
local stats = require "judge.stats"

local limits = {}

limits.LEAST = 3 -- values: of two that differ nobody knows which is right

local RELEVANT = 0.25 -- of a tolerance
local TOLERANCE = 0.1 -- % of a metric that has none

-- A difference that counts for something.
function limits.relevant(tolerance_pct)
    return RELEVANT * (tolerance_pct or TOLERANCE)
end

-- `columns`: of every metric of a group the nodes' values, an array; `tolerances` of the metrics in %, nil where there is none; `tests`:
-- how many values are looked at in all. -> array of { median, n, limit = nil for fewer than LEAST values }, false for a metric without
-- values.
function limits.of(columns, tolerances, false_alarms, tests)
    local found, list, p = {}, {}, false_alarms / math.max(tests, 1)
    for metric, values in ipairs(columns) do
        local spread = #values >= limits.LEAST and noise.spread(values)
        found[metric] = #values > 0 and { n = #values, median = spread and spread.median or stats.median(values) }
        if spread then
            list[#list + 1] = { metric = metric, spread = spread, tolerance = tolerances[metric] or TOLERANCE }
        end
    end
    local slopes = noise.slopes(list)
    for _, entry in ipairs(list) do
        found[entry.metric].limit = math.max(limits.relevant(entry.tolerance), noise.reach(entry.spread, entry.tolerance, slopes, p))
    end
    return found
end

return limits
