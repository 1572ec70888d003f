-- cells.lua - text in columns of a terminal: widths are of characters, and no character is cut in two.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local cells = {}

local LEAST = 8 -- what a column that gives way keeps
local INDENT = "    " -- of a text's further lines

function cells.width(text)
    return utf8.len(text) or #text
end

-- The text, or as much of it as leaves room for `mark` ("~" by default) behind it.
function cells.cut(text, width, mark)
    mark = mark or "~"
    if cells.width(text) <= width then
        return text
    end
    return text:sub(1, (utf8.offset(text, math.max(width - #mark, 0) + 1) or 1) - 1) .. mark
end

local function pad(text, width, is_right)
    local blank = (" "):rep(width - cells.width(text))
    return is_right and blank .. text or text .. blank
end

-- Rows are arrays of texts. The widest cell of each column.
function cells.widths(rows)
    local widths = {}
    for _, row in ipairs(rows) do
        for i, cell in ipairs(row) do
            widths[i] = math.max(widths[i] or 0, cells.width(cell))
        end
    end
    return widths
end

-- How wide a line of such columns is.
function cells.sum(widths, gap)
    return gap * (#widths - 1) + lists.sum(widths, function(width) return width end)
end

-- Makes the columns numbered in `order` narrower, the first of them first, as far as a line of `most` characters asks for.
function cells.shrink(widths, order, gap, most)
    for _, column in ipairs(order) do
        local width = widths[column] or 0
        widths[column] = width - math.max(0, math.min(cells.sum(widths, gap) - most, width - LEAST))
    end
end

-- A row as a line without blanks at its end. `right`: { [column] = true } of those that are aligned there. Columns of no width are
-- left out.
function cells.line(row, widths, gap, right)
    local line = lists.collect(row, function(cell, i)
        return widths[i] > 0 and pad(cells.cut(cell, widths[i]), widths[i], right and right[i])
    end)
    return (table.concat(line, (" "):rep(gap)):gsub("%s+$", ""))
end

-- Columns `first` to `last` for `right`.
function cells.right(first, last)
    local right = {}
    for column = first, last do
        right[column] = true
    end
    return right
end

-- All rows as such lines, with `indent` (nothing by default) before each.
function cells.lines(rows, gap, right, indent)
    local widths = cells.widths(rows)
    return lists.map(rows, function(row) return (indent or "") .. cells.line(row, widths, gap, right) end)
end

-- Texts in lines of at most `width` characters, broken at blanks: no word of them is left out.
function cells.wrap(texts, width)
    local lines = {}
    for _, text in ipairs(texts) do
        local line
        for word in text:gmatch "%S+" do
            local longer = line and line .. " " .. word
            if longer and cells.width(longer) > width then
                lines[#lines + 1] = line
                longer = INDENT .. word
            end
            line = longer or word
        end
        lines[#lines + 1] = line
    end
    return lines
end

return cells
