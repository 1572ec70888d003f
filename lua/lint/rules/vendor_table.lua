-- vendor_table.lua - a code in an event table is not the vendor's. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rule `vendor` for all events of the table, whether a group uses them or not; reported at the first event of each name.
local linted = require "lint.linted"

return {
    name = "vendor-table", class = "S20", severity = "error", about = "table", needs = "vendor",
    title = "the event table has another code than the vendor documents",
    check = function(one, say, arch)
        local seen = {}
        for _, event in ipairs(one.events) do
            if not seen[event.name] then
                linted.compare_code(event.name, event.line, arch, say)
            end
            seen[event.name] = true
        end
    end,
}
