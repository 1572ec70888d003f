-- forbidden_counter.lua - an event on a counter that cannot count it. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

return {
    name = "forbidden-counter", class = "S5", severity = "error", about = "group", needs = "table",
    title = "the event table limits the event to other counters",
    check = function(group, say, arch)
        for _, events in ipairs(lists.group(group.events, "event")) do
            local limits = arch.limits[events[1].event]
            local wrong = limits and lists.filter(events, function(event)
                return event.exists and not linted.allows(limits, event.counter)
            end) or {}
            if #wrong > 0 then
                say(wrong[1].line, ("%s is limited to %s, not %s"):format(wrong[1].event, limits, linted.names(wrong)),
                    "the event is not counted")
            end
        end
    end,
}
