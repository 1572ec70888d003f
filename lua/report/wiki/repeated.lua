-- repeated.lua - merges samples of one point: means over repetitions, never over different amounts.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A difference of two regions (a sample with regions = 0) is another amount under the same numbers: it is judged, but not shown
-- here.
local deviation = require "judge.deviation"
local lists = require "input.lists"
local stats = require "numeric.stats"

local repeated = {}

-- Samples of whole regions of a pattern.
function repeated.of_pattern(node, pattern)
    return lists.filter(node.samples, function(sample) return sample.pattern == pattern and sample.regions ~= 0 end)
end

-- Sorted names of a point's numbers; "point" for records without numbers.
function repeated.names(sample)
    return sample.given and next(sample.given) and lists.sorted(sample.given) or { "point" }
end

-- The number of that name as text.
function repeated.number(sample, name)
    local value = sample.given and sample.given[name]
    return value and ("%.15g"):format(value) or sample.point:match "p%d+$" or sample.point
end

-- Position of the sample's point in the pattern file.
function repeated.rank(sample)
    return tonumber(sample.point:match "p(%d+)$") or 0
end

-- Mean of get(sample), or of the field `get`, over samples for which it is not nil; nil if there are none.
function repeated.mean(samples, get)
    local values = lists.collect(samples, get)
    return #values > 0 and stats.mean(values) or nil
end

function repeated.measured(samples)
    return repeated.mean(samples, "measured")
end

-- Mean error in % of the model's nominal value.
function repeated.error_pct(samples)
    return repeated.mean(samples, function(sample)
        return sample.measured and sample.expected and deviation.error_pct(sample.measured, sample.expected)
    end)
end

-- The model's value, followed by "(least to most)" if its interval has a width; nil without a model.
function repeated.model(samples, format)
    local function mean_of(key)
        return repeated.mean(samples, function(sample) return sample.expected and sample.expected[key] end)
    end
    local value, low, high = mean_of "value", mean_of "min", mean_of "max"
    return value and format(value) .. (low < high and (" (%s to %s)"):format(format(low), format(high)) or "")
end

return repeated
