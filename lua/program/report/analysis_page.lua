-- analysis_page.lua - an analysis record as a page: three linked trees, tables of values, runs, node, commands.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The tables are complete without the page's script (analysis.js), which builds the trees and documents them.
local array = require "input.array"
local frame = require "report.page.frame"
local json = require "report.page.json"
local lists = require "input.lists"
local html = require "report.page.html"
local record_parts = require "report.page.record"
local report = require "report.text.report"
local shell = require "report.text.shell"
local trees = require "program.report.trees"

local analysis = {}

local add, escape = html.add, html.escape

-- Names of the panes, in the address and on the page.
local PANES = { { "metric", "Metrics" }, { "region", "Regions" }, { "system", "System" } }

local function add_trees(lines)
    add(lines, '<section id="trees" hidden><h2>Trees</h2><p>A closed line shows the sum of all lines below it; an open line shows only '
        .. "what the lines below it do not. <b>~</b>: incomplete sum. Select a metric to see its distribution over the regions, and a "
        .. "region to see its distribution over the threads. Metrics are in % of the root of their tree, regions in % of the selected "
        .. "metric, threads in % of the selected region.</p>")
    add(lines, '<div class="panes">')
    for _, pane in ipairs(PANES) do
        add(lines, '<div class="pane"><h3 id="%s-title">%s</h3><p class="of" id="%s-of"></p>', pane[1], pane[2], pane[1])
        add(lines, '<div class="scroll"><ul role="tree" id="%s" aria-labelledby="%s-title" aria-describedby="%s-of"></ul></div></div>',
            pane[1], pane[1], pane[1])
    end
    add(lines, '</div><div class="scale" aria-hidden="true"><span>0 %</span><i></i><span>100 %</span></div>')
    add(lines, '<dl id="selected" aria-live="polite" aria-label="Selected"></dl></section>')
end

local function value_text(total)
    return total and (total.partial and "~" or "") .. report.amount(total.value) or "-"
end

local function percent_text(total, root)
    local is_known = total and root and root.value ~= 0
    return is_known and report.percent(100 * total.value / root.value):gsub("^%+", "") or "-"
end

-- Adds a table of values in some regions: metrics `shown` as rows, threads as columns.
local function add_values(lines, record, found, shown, title, regions)
    local leaves = found.leaves
    add(lines, '<div class="scroll"><table class="plain values"><caption>%s</caption><thead><tr><th scope="col">metric</th>'
        .. '<th scope="col">unit</th><th scope="col" class="n">all threads</th><th scope="col" class="n">%% of root</th>', escape(title))
    for _, leaf in ipairs(record.system) do
        add(lines, '<th scope="col" class="n">%d.%d</th>', leaf.process, leaf.thread)
    end
    lines[#lines + 1] = "</tr></thead><tbody>"
    for _, index in ipairs(shown) do
        local metric = found.metrics[index + 1]
        local total = trees.total(found, index, regions, leaves)
        local cells = lists.map(leaves, function(leaf)
            return ('<td class="n">%s</td>'):format(escape(value_text(trees.total(found, index, regions, { leaf }))))
        end)
        add(lines, '<tr><th scope="row" class="d%d">%s</th><td>%s</td><td class="n">%s</td><td class="n">%s</td>%s</tr>',
            math.min(trees.depth(found.metrics, index), 9), escape(metric.name), escape(metric.unit), escape(value_text(total)),
            percent_text(total, trees.total(found, trees.root(found.metrics, index), regions, leaves)), table.concat(cells))
    end
    lines[#lines + 1] = "</tbody></table></div>"
end

local function add_tables(lines, record, found)
    add(lines, '<section id="values"><h2>Values</h2><p>Inclusive, as measured. <b>~</b>: incomplete sum; -: no value. Columns are '
        .. "threads as process.thread.</p>")
    local shown = lists.filter(trees.order(found.metrics), function(index)
        return found.metrics[index + 1].is_shown
    end)
    for _, node in ipairs(found.regions) do
        local title = node.kind == "group" and "Sum of all regions; a region inside another one is counted twice" or node.name
        add_values(lines, record, found, shown, title, node.of)
    end
    lines[#lines + 1] = "</section>"
end

local function add_definitions(lines, record)
    local rows = lists.map(record.metrics, function(metric)
        return { metric.name, metric.kind, "<code>" .. escape(metric.text) .. "</code>", metric.where, metric.about or "" }
    end)
    html.add_table(lines, '<section id="definitions"><h2>Definitions</h2><p>Includes metrics that have no value in this record.</p>'
        .. '<div class="scroll"><table class="plain">', { "#metric", "is", "<definition", "from", "what it is" }, rows, "</div></section>")
end

local function add_runs(lines, record)
    add(lines, '<section id="runs"><h2>Runs</h2><ul>')
    lists.append(lines, record.messages, function(message) return "<li>" .. escape(message) .. "</li>" end)
    for _, one in ipairs(record.witness) do
        if not one.steady then
            local region = record.regions[one.region + 1]
            add(lines, "<li>the program differs from run to run: %s of %s, thread %d, varies</li>", escape(one.event),
                region == "" and "the program" or escape(region), record.system[one.leaf + 1].thread)
        end
    end
    if record.operation then
        add(lines, "<li>%s of %s</li>", escape(record.operation.name), escape(table.concat(record.operation.of, ", ")))
    end
    local rows = lists.map(record.runs, function(run, i) return { tostring(i), table.concat(run.events, ", ") } end)
    html.add_table(lines, '</ul><div class="scroll"><table class="plain">', { "#run", "events counted together" }, rows, "</div></section>")
end

-- The data for the page's script.
local function data_of(record, found)
    local metrics = lists.map(record.metrics, function(metric, i)
        return { name = metric.name, parent = metric.parent, kind = metric.kind, unit = metric.unit, text = metric.text,
            where = metric.where, about = metric.about, lacks = metric.lacks, isSum = found.metrics[i].is_sum,
            isShown = found.metrics[i].is_shown }
    end)
    local values = lists.map(record.values, function(one)
        return table.pack(one.metric, one.region, one.leaf, one.value, one.partial, one.spread_pct)
    end)
    return { metrics = array(metrics), regions = found.regions, system = found.system, values = array(values) }
end

local LINKS = { { "trees", "Trees" }, { "values", "Values" }, { "definitions", "Definitions" }, { "runs", "Runs" },
    { "failures", "Failures" }, { "node", "Node" }, { "commands", "Commands" } }

local function commands(record, file)
    local name = file and shell.quote(file) or "RECORD"
    local node = record.node
    local where = node.kind == "virtual" and "virtual:" .. node.name or "native"
    return {
        ("assay analyse --node %s --out new.json -- %s"):format(shell.quote(where), record_parts.quoted(record.command)),
        ("assay show %s --threads"):format(name),
        ("assay report %s --html analysis.html"):format(name),
        ("assay report %s --cube analysis.cubex"):format(name),
    }
end

-- { record =, file = its name, style =, program = texts } -> { text = the page }.
function analysis.page(argument)
    local record = argument.record
    local found = trees.of(record)
    local lines = frame.open(argument, "Analysis", LINKS)
    add(lines, "<p>Program <code>%s</code>, %d runs</p>", escape(record_parts.quoted(record.command)), #record.runs)
    add_trees(lines)
    add_tables(lines, record, found)
    add_definitions(lines, record)
    add_runs(lines, record)
    record_parts.add_failures(lines, record.failures)
    record_parts.add_node(lines, record)
    record_parts.add_command_list(lines, "Measure again, see the tree, make this page, take it to Cube's browser",
        commands(record, argument.file))
    lines[#lines + 1] = "</main>"
    lines[#lines + 1] = '<script type="application/json" id="data">' .. json.encode(data_of(record, found), 17) .. "</script>"
    lines[#lines + 1] = "<script>\n" .. argument.program .. "</script></body></html>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return analysis
