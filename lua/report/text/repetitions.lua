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
    local found = {}
    for _, metric in ipairs(metrics) do
        local key = vocabulary.identity(metric, METRIC)
        found[key] = found[key] or metric.verdict == "unresolved"
    end
    return found
end

local function add(place, code, difference)
    if not place.most[code] then
        table.insert(place.codes, code)
    end
    place.most[code] = math.max(place.most[code] or 0, difference)
end

-- Places in order, each with its codes in order and the largest difference in each code.
local function places_of(metrics)
    local open, places = open_metrics(metrics), {}
    for _, metric in ipairs(metrics) do
        if metric.repetitions_pct and open[vocabulary.identity(metric, METRIC)] then
            local key = vocabulary.identity(metric, PLACE)
            local name = ("%s %s"):format(metric.level or metric.pattern, metric.placement)
            add(lists.bin(places, key, { name = name, codes = {}, most = {} }, places), metric.code or "all", metric.repetitions_pct)
        end
    end
    return places
end

-- The record's metrics -> array of "repetitions: PATTERN PLACEMENT: up to 12 % apart in CODE, 0.2 % in CODE"; percent(number) -> text.
function repetitions.lines(metrics, percent)
    return lists.map(places_of(metrics), function(place)
        local parts = lists.map(place.codes, function(code, k)
            return ("%s %%%s in %s"):format(percent(place.most[code]), k == 1 and " apart" or "", code)
        end)
        return ("repetitions: %s: up to %s"):format(place.name, table.concat(parts, ", "))
    end)
end

return repetitions
