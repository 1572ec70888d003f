-- vendor_table.lua - a code in an event table is not the vendor's. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rule `vendor` for all events of the table, whether a group uses them or not; at the first of the events with one name.
return {
    name = "vendor-table", class = "S20", severity = "error", about = "table", needs = "vendor",
    title = "the event table has another code than the vendor documents",
    check = function(one, say, arch)
        local seen = {}
        for _, event in ipairs(one.events) do
            local row = not seen[event.name] and arch.vendor[event.name]
            seen[event.name] = true
            if row and row.state == "differs" then
                say(event.line, ("%s is %s, the vendor's %s is %s"):format(event.name, row.likwid, row.name, row.vendor),
                    "it " .. row.consequence, nil, row.consequence:find "changed" and "note" or nil)
            end
        end
    end,
}
