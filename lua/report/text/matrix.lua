-- matrix.lua - a record's confusion matrix and the effect of wrong counters, for the terminal.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local describe = require("report.matrix").describe
local lists = require "input.lists"

local matrix = {}

local GAP, FIRST_NUMBER = 2, 3 -- blanks between columns; the first column of numbers, after the names

local function add_table(lines, titles, rows, width)
    local all, right = { titles, table.unpack(rows) }, cells.right(FIRST_NUMBER, #titles)
    local widths = cells.widths(all)
    cells.shrink(widths, { 1, 2 }, GAP, width)
    lists.append(lines, all, function(row) return cells.line(row, widths, GAP, right) end)
end

-- Lines of at most `width` columns; none for a record without a matrix.
function matrix.lines(record, width)
    local found, lines = describe(record), {}
    if not found then
        return lines
    end
    lines[1] = "controls against signatures"
    add_table(lines, found.titles, found.rows, width)
    lists.append(lines, cells.wrap({ found.legend, table.unpack(found.notes) }, width))
    if #found.flips.rows > 0 then
        lists.append(lines, { "", "wrong counters against diagnoses" })
        add_table(lines, found.flips.titles, found.flips.rows, width)
        lists.append(lines, cells.wrap({ found.flips.legend }, width))
    end
    lines[#lines + 1] = ""
    return lines
end

return matrix
