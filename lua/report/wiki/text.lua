-- text.lua - Markdown for GitHub wikis: cells, tables, headings, numbers.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local report = require "report.text.report"

local text = {}

-- Volumes and rates with a prefix; counts in full. The unit comes from a record and is escaped.
function text.amount(value, unit)
    if value and unit == nil and math.abs(value) >= 1000 then
        return ("%.0f"):format(value)
    end
    local amount = report.amount(value, unit)
    return value and text.escape(amount) or amount
end

text.percent = report.percent

-- Escapes what Markdown or HTML would read as markup, entity, formula or link. '_' inside a word is harmless.
function text.escape(value)
    local plain = tostring(value):gsub("%s*\n%s*", " ")
    plain = plain:gsub("[\\`*<>|~%[%]&$@]", "\\%0"):gsub("://", ":\\//"):gsub("([Ww][Ww][Ww])%.", "%1\\.")
    plain = plain:gsub("%f[%w_]_", "\\_"):gsub("_%f[^%w_]", "\\_")
    return (plain:gsub("^[#+=-]+%f[%s\0]", "\\%0"):gsub("^(%d+)([.)]%s)", "%1\\%2"))
end

-- A name as code. A '|' would end the table's cell even inside code.
function text.code(name)
    return "`" .. name:gsub("`", "'"):gsub("|", "\\|"):gsub("\n", " ") .. "`"
end

local function row_of(cells)
    return "| " .. table.concat(cells, " | ") .. " |"
end

-- columns = array of titles, ">" before a title aligns its column right; rows = arrays of finished cells ("" and nil become "-") ->
-- adds the table's lines and a blank line; nothing without rows.
function text.add_table(lines, columns, rows)
    if #rows == 0 then
        return
    end
    lines[#lines + 1] = row_of(lists.map(columns, function(title) return (title:gsub("^>", "")) end))
    lines[#lines + 1] = row_of(lists.map(columns, function(title) return title:find "^>" and "---:" or "---" end))
    for _, row in ipairs(rows) do
        lines[#lines + 1] = row_of(lists.map(columns, function(_, i) return (row[i] or "") == "" and "-" or row[i] end))
    end
    lines[#lines + 1] = ""
end

-- Adds a paragraph or heading and a blank line.
function text.add(lines, line, ...)
    lines[#lines + 1] = select("#", ...) > 0 and line:format(...) or line
    lines[#lines + 1] = ""
end

-- Replaces characters that a file name should not contain.
function text.file_part(name)
    return (name:gsub("[^%w_.-]", "_"))
end

return text
