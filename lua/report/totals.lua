-- totals.lua - distinguishes metrics of a boundary's total traffic from metrics of one direction, which the total includes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A short table and a plot omit a direction if the total is shown next to it. If the group has no total, the directions that it has
-- are shown instead.
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local totals = {}

totals.HALVES = { load = true, evict = true }

local KEYS = { "pattern", "level", "placement", "group", "boundary", "kind" }

local function key_of(metric)
    return vocabulary.identity(metric, KEYS)
end

-- A record's metrics -> { is_half(metric) = is it load or evict traffic with a total next to it?, is_whole(metric) = does it represent
-- all traffic? }. A metric without a direction is its own total; parts of the traffic are neither.
function totals.of(metrics)
    local found = {}
    local has_total = lists.set(lists.filter(metrics, function(metric) return metric.metric and metric.direction == "total" end), key_of)
    function found.is_half(metric)
        return totals.HALVES[metric.direction] == true and has_total[key_of(metric)] == true
    end
    function found.is_whole(metric)
        local is_alone = totals.HALVES[metric.direction] == true and not found.is_half(metric)
        return metric.direction == nil or metric.direction == "total" or is_alone
    end
    return found
end

return totals
