-- summaries.lua - notes next to counts of verdicts: which verdicts claim less, and how many metrics have none.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local summaries = {}

local OVER_TIME = { bandwidth = true, rate = true }

-- Note on validated metrics that divide an amount by the measured time. Measured and expected value use the same time, which cancels, so
-- the verdict is about events, formula and unit only. "" if there are none.
function summaries.over_time(metrics)
    local count = lists.count(metrics, function(metric)
        return metric.verdict == "validated" and OVER_TIME[metric.kind]
    end)
    return count > 0 and ("; of the validated, %d are rates, whose time is not judged"):format(count) or ""
end

-- Note on metrics of the record's groups without a verdict; nil if all have one or the record does not list them.
function summaries.unjudged(record)
    local count = lists.sum(record.unjudged or {}, function(one) return one.with and 0 or 1 end)
    return count > 0 and ("%d metrics of the groups are not judged: `assay list unjudged` has the reasons"):format(count) or nil
end

return summaries
