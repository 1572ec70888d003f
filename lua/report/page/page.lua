-- page.lua - a record as a self-contained page: summary, plots, table, samples, node, failures, commands.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The page is complete without its script (page.js), which adds sorting, filters and a row's samples.
local causes = require "report.text.causes"
local counted = require "report.page.counted"
local data = require "report.page.data"
local frame = require "report.page.frame"
local html = require "report.page.html"
local json = require "report.page.json"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local plot = require "report.page.plot"
local record_parts = require "report.page.record"
local report = require "report.text.report"
local roofline = require "report.page.roofline"
local unjudged = require "report.unjudged"
local vocabulary = require "judge.vocabulary"

local page = {}

local add, escape = html.add, html.escape

local VERDICTS = vocabulary.VERDICTS
local MEANS = {
    validated = "rely on it",
    correctable = "rely on it after the correction",
    qualitative = "compare with the threshold only",
    unresolved = "right, but a wrong count would be as well",
    untested = "nothing but 0 was expected",
    rejected = "do not use it",
    missing = "no value, or none that moves",
    skipped = "not measured on this node",
}

local function badge(verdict)
    return ('<span class="badge %s">%s</span>'):format(verdict, verdict)
end

local function add_summary(lines, record)
    local counts = vocabulary.count(record.metrics, "verdict")
    add(lines, '<section id="summary"><h2>Verdicts</h2><div class="tiles" role="group" aria-label="Show only metrics of a verdict">')
    for _, verdict in ipairs(VERDICTS) do
        add(lines, '<button type="button" class="tile %s" data-verdict="%s" aria-pressed="false"%s><b>%d</b><span>%s</span>'
            .. "<small>%s</small></button>",
            verdict, verdict, counts[verdict] and "" or " disabled", counts[verdict] or 0, verdict, MEANS[verdict])
    end
    add(lines, "</div>")
    lists.append(lines, node_state.lines(record), function(text) return "<p>" .. escape(text) .. "</p>" end)
end

-- Counts of verdicts and largest error per group, in the record's order.
local function add_groups(lines, metrics)
    local function is_larger(one, other) return math.abs(one) > math.abs(other) end
    local shown = lists.filter(metrics, function(metric) return metric.group and metric.metric end)
    local rows = lists.map(lists.group(shown, "group"), function(group)
        local counts, errors = vocabulary.count(group, "verdict"), lists.collect(group, "error_pct")
        local ends = lists.flat(errors, function(of) return { of.min, of.max } end)
        return { group[1].group, tostring(#group), lists.join(VERDICTS, " ", function(verdict)
            return counts[verdict] and ('<span class="pair">%s %d</span>'):format(badge(verdict), counts[verdict])
        end), report.percent(lists.best(ends, is_larger)) }
    end)
    html.add_table(lines, '<div class="scroll"><table class="plain"><caption>Verdicts by performance group</caption>',
        { "#group", ">metrics", "<verdicts", ">largest error %" }, rows, "</div></section>")
end

local function add_plots(lines, metrics)
    add(lines, '<section id="plots"><h2>Errors per code</h2>')
    add(lines, '<p>Bar: smallest to largest error over all points and repetitions; mark: average. A code without a bar has no error in %: '
        .. 'there 0 is expected, or no value came.</p><div class="figures">')
    for _, panel in ipairs(plot.panels(metrics)) do
        add(lines, '<figure><figcaption>%s%s</figcaption><ul class="legend">', escape(panel.title),
            panel.tolerance_pct and (" <small>tolerance ±%s %%</small>"):format(report.percent(panel.tolerance_pct):sub(2)) or "")
        for k, label in ipairs(panel.legend) do
            add(lines, '<li><i class="key s%d"></i>%s</li>', k, escape(label))
        end
        lines[#lines + 1] = "</ul>" .. panel.svg
        html.add_table(lines, '<details><summary>values</summary><table class="plain">',
            { "code", "metric", ">min", ">avg", ">max" }, panel.rows, "</details></figure>")
    end
    add(lines, "</div></section>")
end

-- Added if a group shows intensity and performance.
local function add_roofline(lines, record)
    local drawing = roofline.svg(record)
    if drawing then
        add(lines, '<section id="roofline"><h2>Roofline</h2><p>%s</p><figure><figcaption>Dots: counted; bars: expected intensity; broken: '
            .. "roofs</figcaption>%s</figure></section>", escape(roofline.about(record)), drawing)
    end
end

local function small(text)
    return text ~= "" and "<small>" .. escape(text) .. "</small>" or ""
end

-- Columns of the main table: title, sort key of the page, cell, numeric.
local COLUMNS = {
    { "verdict", "rank", function(m) return badge(m.verdict) .. small(report.exactness(m) or "") end },
    { "code", "code", function(m) return escape(m.code or "-") .. small((m.pattern or ""):gsub("_", " ")) end },
    { "data in", "level", function(m) return escape(m.level or "-") end },
    { "place", "placement", function(m) return escape(m.placement or "-") end },
    { "metric", "metric", function(m) return escape(m.metric or "-") .. small(m.group or "") end },
    { "expected", "expected", function(m) return escape(report.amount(m.expected and m.expected.mean, m.unit)) end, true },
    { "measured", "measured", function(m) return escape(report.amount(m.measured and m.measured.mean, m.unit)) end, true },
    { "min %", "min", function(m) return report.percent(m.error_pct and m.error_pct.min) end, true },
    { "avg %", "avg", function(m) return report.percent(m.error_pct and m.error_pct.avg) end, true },
    { "max %", "max", function(m) return report.percent(m.error_pct and m.error_pct.max) end, true },
    { "class", "class", function(m) return escape(m.class or "-") end },
}

local FILTERS = { { "pattern", "pattern" }, { "level", "data in" }, { "code", "code" }, { "group", "group" }, { "kind", "quantity" } }

local function add_filters(lines, metrics)
    add(lines, '<form id="filters" class="screen" aria-label="Filters">')
    add(lines, '<label>search <input type="search" name="q" autocomplete="off"></label>')
    for _, filter in ipairs(FILTERS) do
        local values = vocabulary.values(metrics, filter[1])
        if #values > 1 then
            add(lines, '<label>%s <select name="%s"><option value="">all</option>', filter[2], filter[1])
            for _, value in ipairs(values) do
                add(lines, '<option value="%s">%s</option>', escape(value), escape((value:gsub("_", " "))))
            end
            add(lines, "</select></label>")
        end
    end
    add(lines, '<button type="reset">all metrics</button> <output aria-live="polite">%d metrics</output></form>', #metrics)
end

local function add_table(lines, record)
    local metrics = record.metrics
    add(lines, '<section id="metrics"><h2>Metrics</h2>')
    if #record.samples == 0 and #metrics > 0 then
        add(lines, "<p>The record was kept without its samples (<code>assay compact</code>).</p>")
    end
    add_filters(lines, metrics)
    add(lines, '<div class="scroll"><table id="table"><caption>Errors are signed, in % of what was expected, and 0 inside the '
        .. "model's interval. Expected and measured are means over all points.</caption>")
    add(lines, '<thead><tr><th class="screen" scope="col"><span class="hidden">samples</span></th>')
    for _, column in ipairs(COLUMNS) do
        add(lines, '<th scope="col"%s aria-sort="none"><button type="button" data-sort="%s">%s</button></th>',
            column[4] and ' class="n"' or "", column[2], column[1])
    end
    add(lines, "</tr></thead>")
    for i, metric in ipairs(metrics) do
        local cells = lists.map(COLUMNS, function(column)
            return ("<td%s>%s</td>"):format(column[4] and ' class="n"' or "", (column[3](metric)))
        end)
        lines[#lines + 1] = ('<tbody data-i="%d"><tr><td class="screen"><button type="button" class="open" aria-expanded="false" '
            .. 'aria-label="samples of %s, %s"></button></td>%s</tr></tbody>'):format(i - 1, escape(metric.metric or "this row"),
            escape(metric.code or "all codes"), table.concat(cells))
    end
    add(lines, "</table></div></section>")
end

local function add_unjudged(lines, record)
    local list = unjudged.fold { record }
    if #list == 0 then
        return
    end
    add(lines, '<section id="unjudged"><h2>Without a verdict of their own</h2><div class="scroll"><table class="plain">')
    local rows = lists.map(list, function(one) return { one.metric, table.concat(one.groups, ", "), one.reason } end)
    html.add_table(lines, "", { "#metric", "groups", "reason" }, rows, "</div></section>")
end

local SECTIONS = { { "plots", "Plots" }, { "metrics", "Metrics" }, { "counted", "Architecture" }, { "unjudged", "Without a verdict" },
    { "failures", "Failures" }, { "node", "Node" }, { "commands", "Commands" } }

-- { record =, file = its name, style = text of page.css, program = text of page.js } -> { text = the page }.
function page.page(argument)
    local record = argument.record
    local links = lists.filter(SECTIONS, function(section) return section[1] ~= "unjudged" or #(record.unjudged or {}) > 0 end)
    local lines = frame.open(argument, "Validation", links)
    -- Blame comes before the metrics that follow from it.
    html.add_list(lines, causes.texts(record), '<section id="blame"><h2>To blame</h2>', "</section>")
    add_summary(lines, record)
    add_groups(lines, record.metrics)
    add_plots(lines, record.metrics)
    add_roofline(lines, record)
    add_table(lines, record)
    counted.add(lines, record)
    add_unjudged(lines, record)
    record_parts.add_matrix(lines, record)
    record_parts.add_failures(lines, record.failures or {})
    record_parts.add_node(lines, record)
    record_parts.add_commands(lines, record, argument.file)
    lines[#lines + 1] = "</main>"
    lines[#lines + 1] = '<script type="application/json" id="data">' .. json.encode(data.rows(record)) .. "</script>"
    lines[#lines + 1] = "<script>\n" .. argument.program .. "</script></body></html>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return page
