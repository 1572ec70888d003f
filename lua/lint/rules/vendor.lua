-- vendor.lua - LIKWID's code of an event is not the vendor's. SPDX-License-Identifier: GPL-3.0-or-later
--
-- groups/ARCH/pmu.vendor has the vendor's codes (input/vendor.lua); lists of --perfmon have more (lint/perfmon.lua). A group is reported
-- for the events that it uses.
local linted = require "lint.linted"
local lists = require "input.lists"

return {
    name = "vendor", class = "S20", severity = "error", about = "group", needs = "vendor",
    title = "LIKWID programs the event with another code than the vendor documents",
    check = function(group, say, arch)
        for _, events in ipairs(lists.group(group.events, "event")) do
            if events[1].exists then
                linted.compare_code(events[1].event, events[1].line, arch, say)
            end
        end
    end,
}
