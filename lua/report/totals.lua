-- totals.lua - which metrics stand for the whole traffic of a boundary, and which are only halves of one that does.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A table that is to be short, and a plot, leave out what the total next to it says. Where no total is shown, for the group lacks one
-- direction or the other, what there is stands for it.
local totals = {}

totals.HALVES = { load = true, evict = true }

local function key_of(metric)
    return table.concat({ metric.pattern or "", metric.level or "", metric.placement or "", metric.group or "", metric.boundary or "",
        metric.kind or "" }, "\t")
end

-- Of a record's metrics: { is_half(metric) = is it load or evict, with the total next to it?, is_whole(metric) = does it stand for all
-- that there is of the traffic? }. Metrics without a direction are their own total; parts of the traffic are neither.
function totals.of(metrics)
    local has_total, found = {}, {}
    for _, metric in ipairs(metrics) do
        if metric.metric and metric.direction == "total" then
            has_total[key_of(metric)] = true
        end
    end
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
