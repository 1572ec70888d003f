-- arrange.lua - groups samples by common keys, and sorts metrics in the order of their pattern.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local arrange = {}

-- Groups samples by the values of `keys`: returns the bins in the order of their first samples, and the bins by key.
function arrange.gather(samples, keys)
    return lists.group(samples, function(sample) return vocabulary.identity(sample, keys) end)
end

-- Sorts metrics in place by level, placement and code; the sort is stable. The order of levels and codes is that of a pattern with levels,
-- whatever order the runs ended in; metrics of other patterns are sorted by placement only.
function arrange.sort(metrics, pattern)
    local levels, codes = lists.places(pattern.levels or {}, "name"), lists.places(pattern.levels and pattern.codes or {}, "name")
    local number = lists.places(metrics)
    table.sort(metrics, lists.by(function(metric) return levels[metric.level] or 0 end,
        function(metric) return metric.placement or "" end, function(metric) return codes[metric.code] or 0 end,
        function(metric) return number[metric] end))
end

return arrange
