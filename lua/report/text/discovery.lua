-- discovery.lua - events that show quantities, as a table. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"

local discovery = {}

local GAP = 2
local OURS = { same = "the same", right = "shows it, too", wrong = "does not show it here" }

-- "2 A + B", with A and B events
local function sum_of(finding)
    local parts = {}
    for i, one in ipairs(finding.events) do
        local sign = one.weight < 0 and "- " or i > 1 and "+ " or ""
        local weight = math.abs(one.weight) == 1 and "" or ("%g "):format(math.abs(one.weight))
        parts[i] = sign .. weight .. one.event .. (one.options ~= "" and ":" .. one.options or "")
    end
    return table.concat(parts, " ")
end

-- { found =, unknown =, events =, distinct = of judge.discovery.discovery } -> { text = lines that end with a newline }.
function discovery.render(argument)
    local rows, lines, count = { { "quantity", "of", "error %", "its group's events", "found by counts" } }, {}, 0
    for _, finding in ipairs(argument.found) do
        count = count + (finding.events and 1 or 0)
        rows[#rows + 1] = { finding.quantity, finding.group, finding.error_pct and ("%+.3f"):format(finding.error_pct) or "",
            OURS[finding.ours] or "", finding.events and sum_of(finding) .. (finding.reason and "; " .. finding.reason or "")
                or finding.reason }
    end
    local widths = cells.widths(rows)
    for i, row in ipairs(rows) do
        lines[i] = cells.line(row, widths, GAP, { [3] = true })
    end
    lines[#lines + 1] = ""
    lines[#lines + 1] = ("%d of %d quantities found, with %d events that count something else each, of %d with values"):format(count,
        #argument.found, argument.distinct, argument.events)
    lines[#lines + 1] = #argument.unknown > 0 and ("%d metrics left out: nobody says what one of their events counts"):format(
        #argument.unknown) or nil
    return { text = table.concat(lines, "\n") .. "\n" }
end

return discovery
