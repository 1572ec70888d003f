-- repetitions.lua - differences between repetitions where a model does not fix the count. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Such a verdict is `unresolved`; the user can still see how steady the count is. The pattern's other codes are listed for comparison.
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local repetitions = {}

local PLACE = { "pattern", "level", "placement" }
local METRIC = { "pattern", "level", "placement", "group", "metric" }

-- Metrics (identities by METRIC) that are unresolved in at least one code.
local function open_metrics(metrics)
    local open = lists.filter(metrics, function(metric) return metric.verdict == "unresolved" end)
    return lists.set(open, function(metric) return vocabulary.identity(metric, METRIC) end)
end

-- The record's metrics -> array of "repetitions: PATTERN PLACEMENT: up to 12 % apart in CODE, 0.2 % in CODE"; percent(number) -> text.
function repetitions.lines(metrics, percent)
    local open = open_metrics(metrics)
    local shown = lists.filter(metrics, function(metric) return metric.repetitions_pct and open[vocabulary.identity(metric, METRIC)] end)
    return lists.map(lists.group(shown, function(metric) return vocabulary.identity(metric, PLACE) end), function(place)
        local codes = lists.group(place, function(metric) return metric.code or "all" end)
        local parts = lists.map(codes, function(code, k)
            local most = percent(lists.most(code, 0, "repetitions_pct"))
            return ("%s %%%s in %s"):format(most, k == 1 and " apart" or "", code[1].code or "all")
        end)
        return ("repetitions: %s %s: up to %s"):format(place[1].level or place[1].pattern, place[1].placement, table.concat(parts, ", "))
    end)
end

return repetitions
