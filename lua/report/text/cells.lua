-- cells.lua - text in terminal columns. Widths are in characters; a UTF-8 character is never split.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local cells = {}

local LEAST = 8 -- smallest width of a column that is narrowed
local INDENT = "    " -- before continuation lines of a text

function cells.width(text)
    return utf8.len(text) or #text
end

-- The text if it fits into `width`, else cut and ended by `mark` ("~" by default).
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

-- rows = arrays of texts; an empty cell may be nil, but one row must have all cells -> the width of each column's widest cell.
function cells.widths(rows)
    local widths, columns = {}, lists.most(rows, 0, function(row) return #row end)
    for _, row in ipairs(rows) do
        for i = 1, columns do
            widths[i] = math.max(widths[i] or 0, cells.width(row[i] or ""))
        end
    end
    return widths
end

-- Width of a line with these columns.
function cells.sum(widths, gap)
    return gap * (#widths - 1) + lists.sum(widths, function(width) return width end)
end

-- Narrows the columns in `order`, one after the other, until a line has at most `most` characters.
function cells.shrink(widths, order, gap, most)
    for _, column in ipairs(order) do
        local width = widths[column] or 0
        widths[column] = width - math.max(0, math.min(cells.sum(widths, gap) - most, width - LEAST))
    end
end

-- A row as a line without trailing blanks. `right`: { [column] = true } for right-aligned columns. Columns of width 0 are left
-- out.
function cells.line(row, widths, gap, right)
    local line = lists.collect(widths, function(width, i)
        return width > 0 and pad(cells.cut(row[i] or "", width), width, right and right[i])
    end)
    return (table.concat(line, (" "):rep(gap)):gsub("%s+$", ""))
end

-- Columns `first` to `last` as a value for `right`.
function cells.right(first, last)
    local right = {}
    for column = first, last do
        right[column] = true
    end
    return right
end

-- All rows as such lines, each preceded by `indent` ("" by default).
function cells.lines(rows, gap, right, indent)
    local widths = cells.widths(rows)
    return lists.map(rows, function(row) return (indent or "") .. cells.line(row, widths, gap, right) end)
end

-- Wraps texts at blanks into lines of at most `width` characters; no word is lost.
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
