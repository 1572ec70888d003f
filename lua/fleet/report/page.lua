-- page.lua - a fleet as a self-contained page: groups, nodes that differ, a heat map of nodes and metrics, all nodes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- page.render{ collection =, found =, style = page.css and fleet.css, program = fleet.js } -> { text = }
-- The page is complete without its script, which draws the heat map and sorts.
local array = require "input.array"
local html = require "report.page.html"
local fleet = require "fleet.judge"
local frame = require "report.page.frame"
local json = require "report.page.json"
local lists = require "input.lists"
local text = require "fleet.report.text"
local vocabulary = require "judge.vocabulary"

local page = {}

local add, escape = html.add, html.escape

local METRICS_MOST = 12 -- per node, in the list of those that differ
-- A cell is a letter for fleet.js: the value's distance from the peers' median in tenths of the limit, at most three limits.
local LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxy"
local MIDDLE = #LETTERS // 2
local ABSENT, ALONE = "-", "."

local function add_head(lines, argument)
    local collection, found = argument.collection, argument.found
    local kinds = vocabulary.count(lists.map(collection.nodes, "node"), "kind")
    frame.begin(lines, ("Assay: a fleet of %d nodes"):format(#collection.nodes), argument.style)
    add(lines, "<header><h1>A fleet of %d nodes</h1>", #collection.nodes)
    add(lines, '<p class="facts">%d metrics, %d values compared with those of peers; probability of any false alarm: at most %g.'
        .. "</p>", #collection.metrics, found.tests, found.false_alarms)
    if kinds.virtual then
        add(lines, '<p class="banner virtual"><strong>%d virtual nodes.</strong> Simulated processors and registers: no evidence about '
            .. "silicon.</p>", kinds.virtual)
    end
    if kinds.native then
        add(lines, '<p class="banner native"><strong>%d native nodes.</strong> Measured on their own counters.</p>', kinds.native)
    end
    lines[#lines + 1] = '<nav aria-label="Sections"><a href="#differ">Nodes that differ</a> <a href="#map">Heat map</a> '
        .. '<a href="#groups">Groups</a> <a href="#nodes">All nodes</a></nav></header><main>'
end

local function add_items(lines, list)
    lists.append(lines, lists.first(list, METRICS_MOST), function(words) return ("<li>%s</li>"):format(escape(words)) end)
    if #list > METRICS_MOST then
        add(lines, "<li>and %d more</li>", #list - METRICS_MOST)
    end
end

local function add_differing(lines, argument)
    local found = argument.found
    add(lines, '<section id="differ"><h2>%d nodes count differently from their peers</h2>', found.differ)
    for _, case in ipairs(found.separates) do
        add(lines, "<p>Different about them: <strong>%s %s</strong>, as all %d that differ have and %d of the %d others.</p>",
            escape(case.key), escape(case.value), case.of, case.others, case.among)
    end
    for _, entry in ipairs(found.nodes) do
        if entry.differs then
            add(lines, "<details><summary><strong>%s</strong> (group %d): %s</summary><ul>", escape(entry.host), entry.group,
                text.summary(entry))
            local differences = text.differences(argument, entry)
            for _, key in ipairs { "blame", "outliers", "verdicts" } do
                add_items(lines, differences[key])
            end
            lines[#lines + 1] = "</ul></details>"
        end
    end
    lines[#lines + 1] = "</section>"
end

local function add_absent(lines, argument)
    local absent = text.absent(argument.collection)
    if #absent > 0 then
        add(lines, '<section id="absent"><h2>%d nodes without a record</h2><ul>', #absent)
        lists.append(lines, absent, function(entry)
            return ("<li><strong>%s</strong>: %s</li>"):format(escape(entry.host), escape(entry.reason))
        end)
        lines[#lines + 1] = "</ul></section>"
    end
end

local function add_groups(lines, argument)
    local rows = lists.map(argument.found.groups, function(group, number)
        local compared = group.reference ~= number and ("with group %d, being few"):format(group.reference)
            or #group.distance > 0
                and ("among themselves; their medians differ from the largest group's in %d metrics"):format(#group.distance)
            or "among themselves"
        return { tostring(number), ("%d"):format(group.count), group.family, text.state(group), compared }
    end)
    html.add_table(lines, '<section id="groups"><h2>Groups</h2><div class="scroll"><table class="plain">',
        { ">group", ">nodes", "processor", "state", "compared" }, rows, "</div></section>")
end

local MAP = [[
<section id="map"><h2>Heat map</h2><p>A row is a node, a column a metric; the colour says how far the value is from the median of the node's
peers, below (blue) or above (orange), full where it stands out. Point at a cell, or go to it with the arrow keys; Enter sorts the nodes by
its metric.</p>
<form id="choices" class="screen">
<label>nodes by <select name="rows"><option value="differ">what stands out</option><option value="host">name</option>
<option value="group">group</option><option value="metric">the chosen metric</option></select></label>
<label>size <select name="size"><option>4</option><option>8</option><option selected>14</option></select></label>
<label><input type="checkbox" name="few"> only metrics in which a node stands out</label></form><output id="cell"></output>
<div id="window" tabindex="0" role="application" aria-label="Heat map of nodes and metrics"><canvas id="canvas"></canvas>
<div id="extent"></div></div></section>]]

local function add_nodes(lines, argument)
    lines[#lines + 1] = '<section id="nodes"><h2>All nodes</h2><div class="scroll"><table class="plain" id="table"><thead><tr>'
    for _, title in ipairs { "node", "group", "metrics that stand out", "verdicts that differ", "largest, in limits", "failed runs" } do
        add(lines, '<th scope="col"><button type="button">%s</button></th>', title)
    end
    lines[#lines + 1] = "</tr></thead><tbody>"
    for _, entry in ipairs(argument.found.nodes) do
        local first = text.sorted_outliers(entry)[1]
        add(lines, '<tr%s><th scope="row">%s</th><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td><td class="n">%s</td>'
            .. '<td class="n">%d</td></tr>', entry.differs and ' class="differs"' or "", escape(entry.host), entry.group, #entry.outliers,
            #entry.verdicts, first and ("%.3g"):format(math.abs(first.ratio)) or "", argument.collection.nodes[entry.node].failures)
    end
    lines[#lines + 1] = "</tbody></table></div></section>"
end

local function letter_of(value, limit)
    if not value then
        return ABSENT
    elseif not limit or not limit.limit then
        return ALONE
    end
    local level = math.floor(10 * (value - limit.median) / limit.limit + 0.5)
    level = math.max(-MIDDLE, math.min(MIDDLE, level))
    return LETTERS:sub(MIDDLE + 1 + level, MIDDLE + 1 + level)
end

local function cells_of(argument, entry)
    local limit = argument.found.limits[argument.found.groups[entry.group].reference]
    local values = argument.collection.nodes[entry.node].values
    return lists.join(argument.collection.metrics, "", function(_, metric) return letter_of(values[metric], limit[metric]) end)
end

local function data_of(argument)
    local metrics = array(lists.map(argument.collection.metrics, fleet.metric_name))
    local nodes = array(lists.map(argument.found.nodes, function(entry)
        local outliers = array(lists.map(entry.outliers, function(one) return array { one.metric - 1, one.value } end))
        return { host = entry.host, group = entry.group, differs = #entry.outliers + #entry.verdicts, cells = cells_of(argument, entry),
            outliers = outliers }
    end))
    return { metrics = metrics, nodes = nodes, letters = LETTERS }
end

function page.render(argument)
    local lines = {}
    add_head(lines, argument)
    add_absent(lines, argument)
    add_differing(lines, argument)
    lines[#lines + 1] = MAP
    add_groups(lines, argument)
    add_nodes(lines, argument)
    add(lines, '</main><script type="application/json" id="data">%s</script>', json.encode(data_of(argument)))
    lines[#lines + 1] = "<script>\n" .. argument.program .. "</script></body></html>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return page
