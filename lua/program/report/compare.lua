-- compare.lua - a table of several analyses side by side.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- "-" (not 0): the architecture cannot count it; blank: it was not counted.
local analysis = require "program.report.analysis"
local side_by_side = require "program.report.side_by_side"
local cells = require "report.text.cells"
local lists = require "input.lists"

local compare = {}

local GAP = 2

-- Texts of a cell: value and percent.
local function texts_of(cell)
    if type(cell) ~= "table" then
        return cell == "none" and "-" or "", ""
    end
    return (cell.partial and "~" or "") .. analysis.number(cell.value), cell.percent and ("%.1f %%"):format(cell.percent) or ""
end

local function lines_of(region, argument)
    local heading, where, rows = { region.name ~= "" and "region " .. region.name or "" }, { "" }, {}
    for i, record in ipairs(argument.records) do
        heading[2 * i], heading[2 * i + 1], where[2 * i], where[2 * i + 1] = argument.files[i], "", record.node.name, ""
    end
    rows[1], rows[2] = heading, where
    for _, row in ipairs(region.rows) do
        local line = { ("  "):rep(row.depth) .. row.name .. (row.depth == 0 and row.unit ~= "" and " [" .. row.unit .. "]" or "") }
        for i, cell in ipairs(row.cells) do
            line[2 * i], line[2 * i + 1] = texts_of(cell)
        end
        if row.depth == 0 and #rows > 2 then
            rows[#rows + 1] = {}
        end
        rows[#rows + 1] = line
    end
    return rows
end

-- { records =, files = their names } -> { text = }
function compare.render(argument)
    local lines = lists.map(argument.records, function(record, i)
        return ("%s: %s"):format(argument.files[i], analysis.heading(record))
    end)
    lines[#lines + 1] = side_by_side.states(argument)
    for _, region in ipairs(side_by_side.of(argument)) do
        local rows = lines_of(region, argument)
        lines[#lines + 1] = ""
        lists.append(lines, cells.lines(rows, GAP, cells.right(2, #rows[1])))
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return compare
