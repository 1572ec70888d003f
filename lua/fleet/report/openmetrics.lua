-- openmetrics.lua - a fleet for monitoring: OpenMetrics text, for example for the textfile collector of Prometheus' node exporter.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- openmetrics.render{ collection =, found = } -> { text = }
-- For every node its state, and the number of outliers and of verdicts of each kind; for nodes with outliers also their size. All values of
-- all nodes would be millions of series; they are in the CSV file. The state is a gauge, because Prometheus' own text format has no `info`.
local lists = require "input.lists"
local node_state = require "judge.node_state"
local vocabulary = require "judge.vocabulary"

local openmetrics = {}

local FAMILIES = {
    { "assay_node_up", "gauge", "Whether the node has a record." },
    { "assay_node_outliers", "gauge", "Metrics whose value stands out from those of the node's peers." },
    { "assay_node_differing_verdicts", "gauge", "Verdicts other than those of the node's peers." },
    { "assay_node_differing_settings", "gauge", "Settings in which the node differs from most nodes with the same processor." },
    { "assay_node_state_info", "gauge", "Settings of the node as labels; the value is 1." },
    { "assay_node_verdicts", "gauge", "Metrics of the node with a verdict." },
    { "assay_node_failed_runs", "gauge", "Runs without values." },
    { "assay_outlier_deviation_ratio", "gauge", "Error of an outlying metric, as a fraction of the expected value." },
    { "assay_fleet_tests", "gauge", "Values that were compared with those of peers." },
    { "assay_fleet_false_alarm_rate", "gauge", "Largest probability of a false alarm in all tests." },
}

local function escaped(text)
    return (text:gsub("\\", "\\\\"):gsub('"', '\\"'):gsub("\n", "\\n"))
end

-- {host="n1",kind="native"}
local function labels(...)
    local parts = {}
    for i = 1, select("#", ...), 2 do
        local name, value = select(i, ...)
        if value ~= nil then
            parts[#parts + 1] = ('%s="%s"'):format(name, escaped(tostring(value)))
        end
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

local function add(samples, name, label, value)
    table.insert(samples[name], ("%s%s %.10g"):format(name, label, value))
end

local function state_labels(node)
    local pairs_of = { "host", node.host, "kind", node.node.kind, "arch", node.node.arch }
    for i, key in ipairs(node_state.KEYS) do
        pairs_of[2 * i + 5], pairs_of[2 * i + 6] = key, node_state.text(node.node, key)
    end
    return labels(table.unpack(pairs_of, 1, 6 + 2 * #node_state.KEYS))
end

local function add_node(samples, argument, entry)
    local node = argument.collection.nodes[entry.node]
    local own = labels("host", node.host, "kind", node.node.kind, "arch", node.node.arch)
    add(samples, "assay_node_up", own, 1)
    add(samples, "assay_node_outliers", own, #entry.outliers)
    add(samples, "assay_node_differing_verdicts", own, #entry.verdicts)
    add(samples, "assay_node_failed_runs", own, node.failures)
    add(samples, "assay_node_differing_settings", own, #entry.state)
    add(samples, "assay_node_state_info", state_labels(node), 1)
    for place, verdict in ipairs(vocabulary.VERDICTS) do
        local _, count = node.verdicts:gsub(string.char(("a"):byte() + place - 1), "")
        if count > 0 then
            add(samples, "assay_node_verdicts", labels("host", node.host, "kind", node.node.kind, "verdict", verdict), count)
        end
    end
    for _, one in ipairs(entry.outliers) do
        local metric = argument.collection.metrics[one.metric]
        add(samples, "assay_outlier_deviation_ratio", labels("host", node.host, "kind", node.node.kind, "pattern", metric.pattern, "code",
            metric.code, "level", metric.level, "placement", metric.placement, "group", metric.group, "metric", metric.metric),
            one.value / 100)
    end
end

function openmetrics.render(argument)
    local samples, lines = {}, {}
    for _, family in ipairs(FAMILIES) do
        samples[family[1]] = {}
    end
    for _, entry in ipairs(argument.found.nodes) do
        add_node(samples, argument, entry)
    end
    local has_record = lists.set(argument.collection.nodes, "host")
    for _, entry in ipairs(lists.joined(argument.collection.status or {}, argument.collection.broken)) do
        if not has_record[entry.host] then
            has_record[entry.host] = true
            add(samples, "assay_node_up", labels("host", entry.host), 0)
        end
    end
    add(samples, "assay_fleet_tests", "", argument.found.tests)
    add(samples, "assay_fleet_false_alarm_rate", "", argument.found.false_alarms)
    for _, family in ipairs(FAMILIES) do
        local name, kind, help = table.unpack(family)
        lists.append(lines, { ("# TYPE %s %s"):format(name, kind), ("# HELP %s %s"):format(name, help) })
        lists.append(lines, samples[name])
    end
    lines[#lines + 1] = "# EOF"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return openmetrics
