-- unused_event.lua - an event that is counted for nothing. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Fixed counters cost nothing, and MERGE is programmed for its neighbour. Rule missing-box reports boxes that a sum leaves out.
local lists = require "input.lists"

return {
    name = "unused-event", class = "S6", severity = "warning", about = "group",
    title = "EVENTSET programs an event that no metric uses",
    check = function(group, say)
        local used = {}
        for _, metric in ipairs(group.metrics) do
            for name in pairs(metric.uses) do
                used[group.of[name] and group.of[name].key or name] = true
            end
        end
        if lists.any(group.notes, function(note) return note.kind == "formula" or note.kind == "metric line" end) then
            return -- an unreadable metric may use it
        end
        for _, events in ipairs(lists.group(group.events, "key")) do
            local event = events[1]
            if not used[event.key] and event.exists and not event.counter:find "^FIXC" and event.event ~= "MERGE" then
                say(event.line, ("%s on %s is programmed and in no metric"):format(event.key, event.counter),
                    "a counter is spent; if a metric should use it, that metric counts too little")
            end
        end
    end,
}
