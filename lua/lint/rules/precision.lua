-- precision.lua - double, single and half precision mixed up. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local WORDS = { DP = "DOUBLE", SP = "SINGLE", HP = "HALF" }
local LONG = { DP = "double", SP = "single", HP = "half" }

local function precision(title)
    for short in pairs(WORDS) do
        if (" " .. title:gsub("[_%W]", " ") .. " "):find(" " .. short .. " ", 1, true) then
            return short
        end
    end
end

local function has_precision(events, short)
    return lists.any(events, function(event) return event.event:find(WORDS[short], 1, true) end)
end

local function check_metric(group, metric, say)
    local short = precision(metric.name)
    local events = lists.filter(group.events, function(event) return metric.uses[event.name] end)
    for other in pairs(short and not has_precision(events, short) and WORDS or {}) do
        if other ~= short and has_precision(events, other) then
            say(metric.line, ("metric '%s' uses events of %s precision"):format(metric.title, LONG[other]), "it shows another quantity")
        end
    end
end

return {
    name = "precision", class = "S11", severity = "error", about = "group",
    title = "group, SHORT, metric and events name different precisions",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            check_metric(group, metric, say)
        end
        local own = precision(group.name)
        local titled = lists.collect(group.metrics, function(metric)
            return metric.title:find "FLOP/s" and precision(metric.name) and metric
        end)
        if own and #titled > 0 and not lists.any(titled, function(metric) return precision(metric.name) == own end) then
            say(titled[1].line, ("metric '%s' stands in group %s, which has no metric of its own precision"):format(titled[1].title,
                group.name), "the title is wrong, or the group")
        end
        for other, word in pairs(own and group.short and LONG or {}) do
            if other ~= own and group.short:lower():find(word, 1, true) and not group.short:lower():find(LONG[own], 1, true) then
                say(1, ("SHORT of %s says %s precision"):format(group.name, word), "the description is wrong, or the group")
            end
        end
    end,
}
