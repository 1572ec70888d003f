-- compare_page.lua - a page with several analyses side by side: a table per region, with a pair of columns per record.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The tables are complete without the page's script (compare.js), which opens and closes the children of a metric.
local analysis = require "program.report.analysis"
local lists = require "input.lists"
local side_by_side = require "program.report.side_by_side"
local frame = require "report.page.frame"
local html = require "report.page.html"
local record_parts = require "report.page.record"
local report = require "report.text.report"
local vocabulary = require "judge.vocabulary"

local compare = {}

local add, escape = html.add, html.escape

-- The distinct values of a key, in their order, as one text; nil if there are none.
local function distinct(list, key)
    local values = vocabulary.values(list, key)
    return #values > 0 and table.concat(values, ", ") or nil
end

-- One record for the page's head, with the distinct nodes, versions and dates of all records.
local function common(records)
    local node, nodes = { kind = records[1].node.kind }, lists.map(records, "node")
    for _, key in ipairs { "name", "arch", "cpu", "likwid" } do
        node[key] = distinct(nodes, key)
    end
    return { assay = distinct(records, "assay"), started = distinct(records, "started"), faults = lists.flat(records, "faults"),
        node = node }
end

local function add_heading(lines, argument)
    add(lines, '<thead><tr><th scope="col" rowspan="2">metric</th><th scope="col" rowspan="2">unit</th>')
    for i = 1, #argument.records do
        add(lines, '<th scope="colgroup" colspan="2" class="n">%s</th>', escape(argument.files[i]))
    end
    lines[#lines + 1] = "</tr><tr>"
    for _, record in ipairs(argument.records) do
        add(lines, '<th scope="col" class="n">%s</th><th scope="col" class="n">%% of root</th>', escape(record.node.name))
    end
    lines[#lines + 1] = "</tr></thead><tbody>"
end

local function cell_text(cell)
    if type(cell) ~= "table" then
        return ('<td class="n">%s</td><td class="n"></td>'):format(cell == "none" and "-" or "")
    end
    local percent = cell.percent and report.percent(cell.percent):gsub("^%+", "")
    local box = percent and ('<span class="box" style="--part: %.1f%%"></span> '):format(math.max(0, math.min(100, cell.percent))) or ""
    return ('<td class="n" title="%.17g">%s%s</td><td class="n">%s%s</td>'):format(cell.value, cell.partial and "~" or "",
        analysis.number(cell.value), box, percent or "")
end

local function add_region(lines, argument, place, region)
    add(lines, '<section id="region%d"><h2>%s</h2><div class="scroll"><table class="plain beside">', place,
        region.name == "" and "Whole program" or escape(region.name))
    add_heading(lines, argument)
    for i, row in ipairs(region.rows) do
        local cells = lists.map(row.cells, cell_text)
        add(lines, '<tr data-row="%d.%d"%s><th scope="row" class="d%d">%s</th><td>%s</td>%s</tr>', place, i,
            row.parent and (' data-parent="%d.%d"'):format(place, row.parent) or "", math.min(row.depth, 9), escape(row.name),
            escape(row.unit), table.concat(cells))
    end
    lines[#lines + 1] = "</tbody></table></div></section>"
end

-- { records =, files = their names, style =, program = texts } -> { text = the page }
function compare.page(argument)
    local regions = side_by_side.of(argument)
    local links = lists.map(regions, function(region, i)
        return { "region" .. i, region.name == "" and "Whole program" or region.name }
    end)
    local names = record_parts.quoted(argument.files)
    local lines = frame.open({ record = common(argument.records), file = table.concat(argument.files, ", "), style = argument.style },
        "Comparison", links)
    lines[#lines + 1] = "<ul>"
    for i, record in ipairs(argument.records) do
        add(lines, "<li><code>%s</code>: %s</li>", escape(argument.files[i]), escape(analysis.heading(record)))
    end
    lines[#lines + 1] = "</ul>"
    lists.append(lines, { side_by_side.states(argument) }, function(text) return "<p>" .. escape(text) .. "</p>" end)
    add(lines, "<p>All threads, inclusive. <strong>~</strong>: incomplete sum; -: the architecture has no such thing, which is not "
        .. "0; blank: not counted.</p>")
    for i, region in ipairs(regions) do
        add_region(lines, argument, i, region)
    end
    record_parts.add_command_list(lines, "See the table, make this page", { "assay compare " .. names,
        ("assay compare %s --html compare.html"):format(names) })
    lines[#lines + 1] = "</main><script>\n" .. argument.program .. "</script></body></html>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return compare
