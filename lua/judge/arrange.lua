-- arrange.lua - groups samples by common keys, and sorts metrics in the order of their pattern.
-- SPDX-License-Identifier: GPL-3.0-or-later
local vocabulary = require "judge.vocabulary"

local arrange = {}

-- Groups samples by the values of `keys`: returns the bins in the order of their first samples, and the bins by key.
function arrange.gather(samples, keys)
    local bins, order = {}, {}
    for _, sample in ipairs(samples) do
        local key = vocabulary.identity(sample, keys)
        if not bins[key] then
            bins[key] = {}
            order[#order + 1] = bins[key]
        end
        table.insert(bins[key], sample)
    end
    return order, bins
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
    for number, metric in ipairs(metrics) do
        metric.number = number
    end
    table.sort(metrics, function(a, b)
        local keys = { { rank[a.level], rank[b.level] }, { a.placement or "", b.placement or "" }, { rank[a.code], rank[b.code] } }
        for _, pair in ipairs(keys) do
            local left, right = pair[1] or 0, pair[2] or 0
            if left ~= right then
                return left < right
            end
        end
        return a.number < b.number
    end)
    for _, metric in ipairs(metrics) do
        metric.number = nil
    end
end

return arrange
