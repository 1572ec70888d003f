-- arrange.lua - groups samples by common keys, and sorts metrics in the order of their pattern.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local arrange = {}

-- Groups samples by the values of `keys`: returns the bins in the order of their first samples, and the bins by key.
function arrange.gather(samples, keys)
    return lists.group(samples, function(sample) return vocabulary.identity(sample, keys) end)
end

-- Position of each code and level in the pattern. Records list metrics in this order, whatever order the runs ended in.
local function ranks(pattern)
    local rank = {}
    for _, list in ipairs { pattern.levels, pattern.codes } do
        for number, entry in ipairs(list) do
            rank[entry.name] = number
        end
    end
    return rank
end

-- Sorts metrics in place by level, placement and code; the sort is stable.
function arrange.sort(metrics, pattern)
    local rank = ranks(pattern)
    local ranked = lists.map(metrics, function(metric, number)
        return { rank[metric.level] or 0, metric.placement or "", rank[metric.code] or 0, number, metric = metric }
    end)
    table.sort(ranked, lists.by(1, 2, 3, 4))
    for number, entry in ipairs(ranked) do
        metrics[number] = entry.metric
    end
end

return arrange
