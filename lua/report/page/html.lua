-- html.lua - escaped texts, lines and tables, of which all pages are made. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local html = {}

function html.escape(text)
    return (text:gsub('[&<>"]', { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- Adds a line: text, or a format with its values.
function html.add(lines, format, ...)
    lines[#lines + 1] = select("#", ...) > 0 and format:format(...) or format
end

-- First character of a column's title -> function that makes a cell from its text; without one the text is escaped.
local CELLS = {
    [">"] = function(text) return '<td class="n">' .. html.escape(text) .. "</td>" end, -- a number
    ["#"] = function(text) return '<th scope="row">' .. html.escape(text) .. "</th>" end, -- the row's name
    ["<"] = function(text) return "<td>" .. text .. "</td>" end, -- finished HTML
    [""] = function(text) return "<td>" .. html.escape(text) .. "</td>" end,
}

-- Adds a table. before: HTML up to the titles, with <table>; titles: see CELLS; rows: arrays of texts; after: HTML after the table.
function html.add_table(lines, before, titles, rows, after)
    local kinds = lists.map(titles, function(title) return title:match "^[>#<]?" end)
    local heads = lists.map(titles, function(title, i)
        return ('<th scope="col"%s>%s</th>'):format(kinds[i] == ">" and ' class="n"' or "", html.escape(title:sub(#kinds[i] + 1)))
    end)
    html.add(lines, before .. "<thead><tr>" .. table.concat(heads) .. "</tr></thead><tbody>")
    lists.append(lines, rows, function(row)
        return "<tr>" .. lists.join(row, "", function(text, i) return CELLS[kinds[i]](text) end) .. "</tr>"
    end)
    html.add(lines, "</tbody></table>" .. after)
end

-- Adds a list of texts, which are escaped; an empty one is left out. before, after |nil: HTML around it.
function html.add_list(lines, texts, before, after)
    if #texts > 0 then
        html.add(lines, (before or "") .. "<ul>")
        lists.append(lines, texts, function(text) return "<li>" .. html.escape(text) .. "</li>" end)
        html.add(lines, "</ul>" .. (after or ""))
    end
end

return html
