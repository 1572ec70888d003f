-- vendor.lua - the comparison of LIKWID's codes with the vendor's (input/vendor.lua) as lines of text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"

local vendor = {}

local TITLES = { "event", "unit", "LIKWID", "vendor", "vendor's name", "state" }

-- { rows = vendor.check's } -> { text = lines that end with a newline }: a table of events, then the number of each state.
function vendor.render(argument)
    local rows = lists.map(argument.rows, function(row)
        return { row.event, row.unit, row.likwid or "-", row.vendor or "-", row.name or "-",
            row.consequence and ("%s: %s"):format(row.state, row.consequence) or row.state }
    end)
    table.insert(rows, 1, TITLES)
    local lines = cells.lines(rows, 2)
    local counts = lists.join(lists.group(argument.rows, "state"), ", ", function(of)
        return ("%d %s"):format(#of, of[1].state)
    end)
    lines[#lines + 1] = #argument.rows > 0 and counts or "no vendor's table (groups/ARCH/pmu.vendor)"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return vendor
