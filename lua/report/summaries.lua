-- summaries.lua - what must accompany a count of verdicts: how many of them claim less, and how many metrics have none.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local summaries = {}

local OVER_TIME = { bandwidth = true, rate = true }

-- Of the validated metrics those whose expectation is an amount over the measured time: the same time stands on both sides and cancels, so
-- that the verdict is on events, formula and unit alone. "" if there are none.
function summaries.over_time(metrics)
    local count = lists.count(metrics, function(metric)
        return metric.verdict == "validated" and OVER_TIME[metric.kind]
    end)
    return count > 0 and ("; of the validated, %d are bandwidths or rates whose time cancels"):format(count) or ""
end

-- A line about the metrics of the record's groups that nothing judges; nil where all are judged, or the record does not say.
function summaries.unjudged(record)
    local count = lists.sum(record.unjudged or {}, function(one) return one.with and 0 or 1 end)
    return count > 0 and ("%d metrics of the groups are not judged: `assay list unjudged` has the reasons"):format(count) or nil
end

return summaries
