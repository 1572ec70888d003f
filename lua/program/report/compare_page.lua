-- compare.lua - a page with several analyses side by side: a table per region, with a pair of columns per record.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The tables are complete without the page's script (compare.js), which opens and closes the children of a metric.
local analysis = require "program.report.analysis"
local lists = require "input.lists"
local side_by_side = require "program.report.side_by_side"
local frame = require "report.page.frame"
local plot = require "report.page.plot"
local record_parts = require "report.page.record"
local report = require "report.text.report"
local shell = require "report.text.shell"

local compare = {}

local add, escape = record_parts.add, plot.escape

-- Distinct entries of all records, in their order.
local function distinct(list)
    local seen, said = {}, {}
    for _, text in ipairs(list) do
        if not seen[text] then
            seen[text], said[#said + 1] = true, text
        end
    end
    return table.concat(said, ", ")
end

-- For the page's head: one record with the entries of all.
local function common(records)
    local function said(of)
        local list = lists.collect(records, function(record) return of(record) end)
        return #list > 0 and distinct(list) or nil
    end
    local faults = {}
    for _, record in ipairs(records) do
        lists.append(faults, record.faults)
    end
    return {
        assay = said(function(r) return r.assay end),
        started = said(function(r) return r.started end),
        faults = faults,
        node = {
            kind = records[1].node.kind,
            name = said(function(r) return r.node.name end),
            arch = said(function(r) return r.node.arch end),
            cpu = said(function(r) return r.node.cpu end),
            likwid = said(function(r) return r.node.likwid end),
        },
    }
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
    local regions, links = side_by_side.of(argument), {}
    for i, region in ipairs(regions) do
        links[i] = { "region" .. i, region.name == "" and "Whole program" or region.name }
    end
    local names = lists.map(argument.files, function(file) return shell.quote(file) end)
    local lines = frame.open({ record = common(argument.records), file = table.concat(argument.files, ", "), style = argument.style },
        "Comparison", links)
    lines[#lines + 1] = "<ul>"
    for i, record in ipairs(argument.records) do
        add(lines, "<li><code>%s</code>: %s</li>", escape(argument.files[i]), escape(analysis.heading(record)))
    end
    add(lines, "</ul><p>All threads, inclusive. <strong>~</strong>: measured in part; -: the architecture has no such thing, which is not "
        .. "0; blank: not counted.</p>")
    for i, region in ipairs(regions) do
        add_region(lines, argument, i, region)
    end
    record_parts.add_command_list(lines, "See the table, make this page", { "assay compare " .. table.concat(names, " "),
        ("assay compare %s --html compare.html"):format(table.concat(names, " ")) })
    lines[#lines + 1] = "</main><script>\n" .. argument.program .. "</script></body></html>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return compare
