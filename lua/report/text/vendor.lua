-- vendor.lua - the comparison of LIKWID's codes with the vendor's (input/vendor.lua) as lines of text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"

local vendor = {}

local TITLES = { "event", "unit", "LIKWID", "vendor", "vendor's name", "state" }

-- What the search for an absent quantity found.
local function absence(row)
    return #row.events == 0 and ("absent: %s: LIKWID's list has no such event"):format(row.quantity)
        or ("absent: %s: %s; LIKWID's list has %s"):format(row.quantity, row.reason, table.concat(row.events, ", "))
end

-- { rows = vendor.check(), absences = absences.search() } -> { text = lines that end with a newline }: a table of events, the number of
-- each state, the quantities that the machine file says cannot be counted.
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
    lists.append(lines, argument.absences, absence)
    return { text = table.concat(lines, "\n") .. "\n" }
end

return vendor
