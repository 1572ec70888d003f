-- missing_box.lua - a sum over boxes leaves out some that EVENTSET programs. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

-- "Memory bandwidth channel 0" is about some of the boxes.
local function names_boxes(metric)
    return metric.name:find " %d" ~= nil
end

return {
    name = "missing-box", class = "S7", severity = "error", about = "group",
    title = "a sum over boxes leaves out boxes that EVENTSET programs with the same event",
    check = function(group, say)
        local sets = lists.group(lists.filter(group.events, function(event) return event.box and event.exists end),
            function(event) return event.kind .. " " .. event.key end)
        for _, metric in ipairs(group.metrics) do
            local short = lists.collect(names_boxes(metric) and {} or sets, function(events)
                local left = lists.filter(events, function(event) return not metric.uses[event.name] end)
                return #left > 0 and #events - #left >= 2 and { all = events, left = left }
            end)
            if #short > 0 then
                local all, left = short[1].all, short[1].left
                say(metric.line, ("metric '%s' sums %d of the %d boxes that %s programs with %s, without %s"):format(metric.title,
                    #all - #left, #all, group.words.set, lists.join(short, " and ", function(one) return one.all[1].key end),
                    linted.names(left)),
                    ("this part of it is %s if the boxes count alike"):format(linted.times((#all - #left) / #all)),
                    { metric = metric, add = lists.map(short, function(one)
                        return { to = lists.find(one.all, function(event) return metric.uses[event.name] end).name,
                            names = lists.map(one.left, "name") }
                    end) })
            end
        end
    end,
}
