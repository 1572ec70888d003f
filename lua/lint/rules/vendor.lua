-- vendor.lua - LIKWID's code of an event is not the vendor's. SPDX-License-Identifier: GPL-3.0-or-later
--
-- groups/ARCH/pmu.vendor has the vendor's codes (input/vendor.lua). A group is reported for the events that it uses.
local lists = require "input.lists"

return {
    name = "vendor", class = "S20", severity = "error", about = "group", needs = "vendor",
    title = "LIKWID programs the event with another code than the vendor documents",
    check = function(group, say, arch)
        for _, events in ipairs(lists.group(group.events, "event")) do
            local event, row = events[1], arch.vendor[events[1].event]
            if row and event.exists and row.state == "differs" then
                say(event.line, ("%s is %s, the vendor's %s is %s"):format(event.event, row.likwid, row.name, row.vendor),
                    "it " .. row.consequence, nil, row.consequence:find "changed" and "note" or nil)
            end
        end
    end,
}
