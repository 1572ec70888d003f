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

local VERDICTS = { right = "shows it", wrong = "does not show it" }

-- How far a checked metric is off, and where.
local function off_of(one)
    local parts = {}
    if one.error_pct then
        parts[1] = ("%+.3g %% in %s"):format(one.error_pct, one.row)
    end
    if one.stray then
        parts[#parts + 1] = ("%.4g in %s, which has none"):format(one.stray.count, one.stray.row)
    end
    return table.concat(parts, "; ")
end

-- Lines about metrics of groups that are not Assay's; none if none were handed in.
local function checked_lines(checked)
    local rows, lines = { { "group", "metric", "is to show", "its events", "", "off" } }, {}
    for _, one in ipairs(checked or {}) do
        rows[#rows + 1] = { one.group, one.metric, one.quantity or "-", one.events or "-", VERDICTS[one.verdict] or "-",
            one.reason or off_of(one) }
    end
    local widths = cells.widths(rows)
    for i, row in ipairs(checked and rows or {}) do
        lines[i] = cells.line(row, widths, GAP)
    end
    lines[#lines + 1] = checked and ""
    return lines
end

-- { checked =, found =, unknown =, events =, distinct = of judge.discovery.discovery } -> { text = lines that end with a newline }.
function discovery.render(argument)
    local lines, rows, count = checked_lines(argument.checked), {}, 0
    rows[1] = { "quantity", "of", "error %", "its group's events", "found by counts" }
    for i, finding in ipairs(argument.found) do
        count = count + (finding.events and 1 or 0)
        rows[i + 1] = { finding.quantity, finding.group, finding.error_pct and ("%+.3f"):format(finding.error_pct) or "",
            OURS[finding.ours] or "", finding.events and sum_of(finding) .. (finding.reason and "; " .. finding.reason or "")
                or finding.reason }
    end
    local widths = cells.widths(rows)
    for _, row in ipairs(rows) do
        lines[#lines + 1] = cells.line(row, widths, GAP, { [3] = true })
    end
    lines[#lines + 1] = ""
    lines[#lines + 1] = ("%d of %d quantities found, with %d events that count something else each, of %d with values"):format(count,
        #argument.found, argument.distinct, argument.events)
    lines[#lines + 1] = not argument.checked and #argument.unknown > 0
        and ("%d metrics left out: nobody says what one of their events counts"):format(#argument.unknown) or nil
    return { text = table.concat(lines, "\n") .. "\n" }
end

return discovery
