-- pages.lua - wiki pages from records: one per architecture, and one per pattern with plots and all values.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   tables.render{ records = array of { file =, record = }, catalogues = { [arch] = { patterns =, machine =, groups = } } }
--     -> { pages = array of { name = file name, text = }, plots = array of { name =, title =, about =, script = } }
-- `catalogues` holds the results of schema.lua and group.lua, because records have no titles, desired events and errata. It may lack
-- an architecture. The pages do not depend on the order of the records.
local array = require "input.array"
local causes = require "report.text.causes"
local choice = require "report.wiki.plots_choice"
local events = require "report.wiki.events"
local imbalance = require "report.wiki.imbalance"
local lists = require "input.lists"
local marker = require "report.wiki.marker"
local matrix = require "report.wiki.matrix"
local merge = require "report.wiki.merge"
local metrics = require "report.wiki.metrics"
local node_state = require "judge.node_state"
local plots = require "report.wiki.plots"
local published = require "report.published"
local sharing = require "report.wiki.sharing"
local stand_in = require "report.stand_in"
local text = require "report.wiki.text"
local unjudged = require "report.unjudged"
local vocabulary = require "judge.vocabulary"

local tables = {}

local TITLES = { ["native"] = "Measured on silicon", ["historical"] = "Historical: published figures of silicon",
    ["virtual"] = "Simulated on virtual nodes", ["native-faults"] = "Measured on silicon, with injected faults",
    ["virtual-faults"] = "Simulated on virtual nodes, with injected faults" }
local CAPTIONS = {
    ["native"] = "Native nodes: counted by their own hardware.",
    ["historical"] = "Historical nodes: **figures that others published, not measured by Assay**. The plain run of each kernel is the "
        .. "expectation, the instrumented one was judged.",
    ["virtual"] = "Virtual nodes: **not evidence about silicon**. They test the groups, the models and the suite.",
    ["native-faults"] = "Faults were injected on purpose: **these numbers say nothing about the hardware**.",
    ["virtual-faults"] = "Faults were injected on purpose into virtual nodes: **these numbers say nothing about any hardware**.",
}
local ORIGINS = { native = "Measured.", historical = "Historical: published by others.", virtual = "Simulated, no evidence about silicon." }
local READING = "Errors are signed, in % of the expected value: 0 inside of the interval that the model leaves. Least, average and "
    .. "largest are over points, repetitions and, where a row has several codes, codes; in the classes and verdicts the number of "
    .. "codes follows. A bandwidth is expected to be the modelled volume over the time that LIKWID measured: its error is that of the "
    .. "volume, and plots show volumes. _Pattern present_ is the threshold between codes that show the pattern and codes that do not."

local CLASS_ORDER = { bottleneck = 1, hazard = 2, work = 3 }

-- Patterns of an architecture's records: { name =, title =, description = |nil }, in the order bottlenecks, hazards, work.
local function list_patterns(arch, catalogue)
    local metrics_of_all = lists.flat(lists.flat(arch.sections, "nodes"), "metrics")
    local described = lists.index(catalogue and catalogue.patterns or {}, "name")
    local list = lists.map(vocabulary.values(metrics_of_all, "pattern"), function(name)
        local description = described[name]
        return { name = name, title = description and description.title or name, description = description,
            rank = CLASS_ORDER[description and description.class] or 4,
            page = ("%s-%s"):format(text.file_part(arch.arch), text.file_part(name)) }
    end)
    table.sort(list, lists.by("rank", "name"))
    return list
end

local function nodes_with(section, pattern)
    return lists.filter(section.nodes, function(node)
        return lists.any(node.metrics, function(metric) return metric.pattern == pattern end)
    end)
end

local EVENTS = { "Pattern", "Desired events", "Available events", "Groups", "Comment and errata" }

local function add_events(lines, arch, patterns, catalogue)
    local rows = lists.map(patterns, function(pattern)
        local desired, available, groups, comment = events.row(arch, pattern, catalogue)
        return { ("[%s](%s)"):format(text.escape(pattern.title), pattern.page), desired, available, groups, comment }
    end)
    text.add(lines, "## Event sets")
    text.add_table(lines, EVENTS, rows)
end

local NODES = { "Node", "Processor", "Sockets x cores x threads", ">Last level cache of a socket",
    "LIKWID", "Kernel", "Microcode", "Records", "Verdicts", ">Failed runs" }

local function describe_records(node)
    return text.escape(lists.join(node.records, "; ", function(entry)
        return ("%s, Assay %s"):format(entry.record.started, entry.record.assay)
    end))
end

local function add_nodes(lines, section)
    local rows = {}
    for i, node in ipairs(section.nodes) do
        local found = node.description
        local cores = found.cores and found.sockets and found.cores // found.sockets
        rows[i] = {
            text.escape(node.label),
            found.cpu and text.escape(found.cpu),
            cores and ("%d x %d x %s"):format(found.sockets, cores, tostring(found.smt or "-")),
            found.llc_bytes and ("%.4g MiB"):format(found.llc_bytes / 2 ^ 20),
            found.interface or found.likwid and text.escape(found.likwid),
            found.kernel and text.escape(found.kernel),
            found.microcode and text.escape(found.microcode),
            describe_records(node),
            metrics.verdicts(node.metrics),
            tostring(#node.failures),
        }
    end
    text.add_table(lines, NODES, rows)
    for _, node in ipairs(section.nodes) do
        local warning = stand_in(node.description)
        if warning then
            text.add(lines, "%s: **%s**", text.escape(node.label), text.escape(warning))
        end
        local source = published(node.records[1].record)
        if source then
            text.add(lines, "%s: historical, from %s", text.escape(node.label), text.escape(source))
        end
    end
end

-- In which settings the records of the tables differ, and for which of each the verdicts hold.
local function add_states(lines, section)
    local all = lists.flat(section.nodes, function(node)
        return lists.map(node.records, function(entry)
            return { record = entry.record, label = node.label .. (#node.records > 1 and " on " .. entry.record.started or "") }
        end)
    end)
    local differs = node_state.among_records(all, function(one) return one.label end)
    if differs then
        text.add(lines, "**%s**", text.escape(differs))
    end
    for _, one in ipairs(all) do
        for _, line in ipairs(node_state.lines(one.record)) do
            text.add(lines, "%s: %s", text.escape(one.label), text.escape(line))
        end
    end
end

-- Each record's blame, under the name of its node.
local function add_causes(lines, section)
    for _, node in ipairs(section.nodes) do
        local all = lists.flat(node.records, function(entry) return causes.texts(entry.record) end)
        local found = lists.map(lists.distinct(all), function(one) return "- " .. text.escape(one) end)
        if #found > 0 then
            text.add(lines, "What is to blame on %s:", text.escape(node.label))
            text.add(lines, table.concat(found, "\n"))
        end
    end
end

local UNJUDGED = { "Metric", "Groups", "Reason" }

local function add_unjudged(lines, section)
    local records = lists.map(lists.flat(section.nodes, "records"), "record")
    local rows = lists.map(unjudged.fold(records), function(one)
        return { text.escape(one.metric), lists.join(one.groups, ", ", text.code), text.escape(one.reason) }
    end)
    if #rows > 0 then
        text.add(lines, "### Metrics without a verdict of their own")
        text.add_table(lines, UNJUDGED, rows)
    end
end

local function add_caption(lines, section)
    text.add(lines, "## %s", TITLES[section.key])
    text.add(lines, "> " .. CAPTIONS[section.key])
end

local function arch_page(arch, patterns, catalogue)
    local lines = { marker.LINE, "" }
    local machine = catalogue and catalogue.machine
    text.add(lines, "# %s: event sets of performance patterns", text.escape(machine and machine.title or arch.arch))
    text.add(lines, READING)
    add_events(lines, arch, patterns, catalogue)
    for _, section in ipairs(arch.sections) do
        add_caption(lines, section)
        add_nodes(lines, section)
        add_states(lines, section)
        add_causes(lines, section)
        matrix.add(lines, section.nodes)
        for _, pattern in ipairs(patterns) do
            local nodes = nodes_with(section, pattern.name)
            if #nodes > 0 then
                text.add(lines, "### %s", text.escape(pattern.title))
                metrics.add_summary(lines, nodes, pattern.name)
                text.add(lines, "[Plots and values of every code](%s)", pattern.page)
            end
        end
        add_unjudged(lines, section)
    end
    return table.concat(lines, "\n")
end

local function plotted_values(plot)
    local columns = lists.append({ "Code" }, plot.series, function(series) return ">" .. text.escape(series.label) end)
    local rows = lists.map(plot.categories, function(name) return { text.code(name) } end)
    for i, series in ipairs(plot.series) do
        for _, point in ipairs(series.points) do
            rows[point.at][i + 1] = ("%s (%s to %s)"):format(text.percent(point.avg), text.percent(point.min), text.percent(point.max))
        end
    end
    return columns, rows
end

local function add_plots(lines, list, section, node, pattern, arch)
    local prefix = ("%s-%s-%s"):format(pattern.page, section.kind, node.key)
    local title = ("%s on %s node %s"):format(pattern.title, section.kind, node.label)
    for _, plot in ipairs(choice.list(node, pattern.name, prefix, title)) do
        local about = ("Average error and bars from least to largest error, in %% of expected, per code. %s. %s"):format(arch,
            CAPTIONS[section.key]:gsub("%*", ""))
        list[#list + 1] = { name = plot.name .. ".svg", title = plot.title, about = about, script = plots.script(plot).text }
        text.add(lines, "![%s](%s)", text.escape(plot.title), plot.name .. ".svg")
        text.add(lines, "*%s: average error in %% of expected (least to largest). %s*", text.escape(plot.title),
            ORIGINS[section.kind])
        text.add_table(lines, plotted_values(plot))
    end
end

local function pattern_page(arch, pattern, list)
    local lines = { marker.LINE, "" }
    text.add(lines, "# %s: %s", text.escape(arch.arch), text.escape(pattern.title))
    if pattern.description and pattern.description.about then
        text.add(lines, text.escape(pattern.description.about))
    end
    text.add(lines, "Back to [%s](%s).", text.escape(arch.arch), text.file_part(arch.arch))
    for _, section in ipairs(arch.sections) do
        local nodes = nodes_with(section, pattern.name)
        if #nodes > 0 then
            add_caption(lines, section)
            for _, node in ipairs(nodes) do
                add_plots(lines, list, section, node, pattern, arch.arch)
            end
            if not imbalance.add(lines, nodes, pattern.name) then
                sharing.add(lines, nodes, pattern.name)
            end
            sharing.add_missing(lines, nodes, pattern.name)
            text.add(lines, "### Every code")
            metrics.add_details(lines, nodes, pattern.name)
        end
    end
    return table.concat(lines, "\n")
end

-- See the top of this file.
function tables.render(argument)
    local pages, list = array(), array()
    for _, arch in ipairs(merge.archs(argument.records)) do
        local catalogue = (argument.catalogues or {})[arch.arch]
        local patterns = list_patterns(arch, catalogue)
        pages[#pages + 1] = { name = text.file_part(arch.arch) .. ".md", text = arch_page(arch, patterns, catalogue) }
        for _, pattern in ipairs(patterns) do
            pages[#pages + 1] = { name = pattern.page .. ".md", text = pattern_page(arch, pattern, list) }
        end
    end
    return { pages = pages, plots = list }
end

return tables
