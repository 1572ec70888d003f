-- unknown_event.lua - an event that the architecture's table lacks. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

return {
    name = "unknown-event", class = "S2", severity = "error", about = "group", needs = "table",
    title = "the architecture's event table has no such event",
    check = function(group, say, arch)
        for _, events in ipairs(lists.group(group.events, "event")) do
            local event = lists.find(events, arch.names_events)
            if event and not arch.selects[event.event] then
                local where = event.counter ~= event.event and " on " .. linted.names(events) or ""
                say(event.line, ("%s%s: %s of %s has no such event"):format(event.event, where, group.words.table, group.arch),
                    group.words.unknown)
            end
        end
    end,
}
