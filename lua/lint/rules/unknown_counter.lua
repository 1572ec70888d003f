-- unknown_counter.lua - a counter that the architecture does not have. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

return {
    name = "unknown-counter", class = "S3", severity = "error", about = "group", needs = "counters",
    title = "the architecture has no such counter",
    check = function(group, say)
        local missing = lists.filter(group.events, function(event) return not event.exists end)
        if #missing > 0 then
            say(missing[1].line, ("%s: LIKWID knows no such counters of %s"):format(linted.names(missing), group.arch),
                "their events are not counted")
        end
    end,
}
