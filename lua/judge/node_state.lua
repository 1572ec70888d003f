-- node_state.lua - settings of a node (validate/node/state.h) that verdicts depend on, and for which metrics.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Settings that affect no metrics restrict no verdict, but every comparison names them: SMT changes which errata apply (judge.lua); the
-- effects of the access mode and of the versions of LIKWID and microcode are what users want to compare. A setting that is unknown
-- restricts no verdict and is not compared. Most are unknown of virtual nodes; prefetchers and noise that such a node does not name are
-- off.
local lists = require "input.lists"

local node_state = {}

-- A rate or a time?
function node_state.is_of_time(metric)
    local unit = metric.unit or ""
    return metric.metric == "CPI" or unit == "s" or unit:sub(-2) == "/s"
end

local function is_of_data(metric)
    return metric.level ~= nil
end

local function is_across(metric)
    return (metric.placement or ""):find("@", 1, true) ~= nil
end

-- affects(metric): |nil: none; its values depend on the setting; changes_errata: as above; disturbs(value) = what goes wrong with that
-- value within one record |nil; virtual = the setting of a virtual node that does not name it |nil: unknown; default = that of any node
local SETTINGS = {
    { key = "governor", title = "governor", what = "metrics of time", affects = node_state.is_of_time,
        disturbs = function(value) return value ~= "performance" and "the clock follows the load" end },
    { key = "turbo", title = "turbo", what = "metrics of time", affects = node_state.is_of_time,
        disturbs = function(value) return value and "the clock depends on temperature and on other cores" end },
    { key = "numa_balancing", title = "NUMA balancing", what = "metrics of two sockets", affects = is_across,
        disturbs = function(value) return value and "the kernel moves pages between sockets" end },
    { key = "prefetchers", title = "prefetchers", what = "metrics of data in caches and memory", affects = is_of_data, virtual = false },
    { key = "numa_per_socket", title = "NUMA domains of a socket", what = "metrics of data in caches and memory", affects = is_of_data },
    { key = "smt", title = "hardware threads a core", changes_errata = true },
    { key = "access", title = "access mode" },
    { key = "likwid", title = "LIKWID" },
    { key = "microcode", title = "microcode" },
    { key = "noise", title = "noise", virtual = false },
    { key = "interface", title = "interface", default = "likwid" },
}
local BY_KEY = lists.index(SETTINGS, "key")
local LABELS_MOST = 3

-- A setting of a node; nil if it is unknown.
local function value_of(setting, node)
    local value = node[setting.key]
    if value == nil and setting.default then
        return setting.default
    elseif value == nil and node.kind == "virtual" then
        return setting.virtual
    end
    return value
end

local function word(value)
    return value == true and "on" or value == false and "off" or tostring(value)
end

-- Lines about a record's verdicts that hold for this setting of its node only: "turbo on: ...; N verdicts of metrics of time".
function node_state.lines(record)
    return lists.collect(SETTINGS, function(setting)
        local value = record.node[setting.key]
        local why = value ~= nil and setting.disturbs and setting.disturbs(value)
        local count = why and lists.count(record.metrics, function(metric)
            return metric.verdict ~= "skipped" and setting.affects(metric)
        end) or 0
        return count > 0 and ("%s %s: %s; verdicts of %d %s hold for this setting only"):format(setting.title, word(value), why, count,
            setting.what)
    end)
end

-- "turbo off -> on"; nil if the setting is the same, or unknown of a node.
local function change(setting, old, new)
    local before, after = value_of(setting, old), value_of(setting, new)
    return before ~= nil and after ~= nil and before ~= after and ("%s %s -> %s"):format(setting.title, word(before), word(after)) or nil
end

-- Why values of a metric on two nodes, or on one at two times, cannot be compared: "turbo off -> on (metrics of time)"; nil if they can.
function node_state.difference(old, new, metric)
    for _, setting in ipairs(SETTINGS) do
        local changed = setting.affects and setting.affects(metric) and change(setting, old, new)
        if changed then
            return ("%s (%s)"):format(changed, setting.what)
        end
    end
    return nil
end

-- Differences as an array of texts: "turbo off -> on", "LIKWID 5.2.2 -> 5.4.1".
function node_state.changes(old, new)
    return lists.collect(SETTINGS, function(setting) return change(setting, old, new) end)
end

-- "node state differs: turbo off -> on; LIKWID 5.2.2 -> 5.4.1"; nil if it does not.
function node_state.between(old, new)
    local changes = node_state.changes(old, new)
    return #changes > 0 and "node state differs: " .. table.concat(changes, "; ") or nil
end

-- The settings' keys in records.
node_state.KEYS = lists.map(SETTINGS, "key")

-- A setting of a node as text: "on", "performance"; nil if it is unknown.
function node_state.text(node, key)
    local value = value_of(BY_KEY[key], node)
    return value ~= nil and word(value) or nil
end

-- Groups the array of { .., node = } by the setting's value; nodes whose value is unknown are left out.
local function by_value(setting, nodes)
    local function value(one) return value_of(setting, one.node) end
    return (lists.group(lists.filter(nodes, function(one) return value(one) ~= nil end), value))
end

-- Array of { .., node = } -> the state of most of the nodes, setting by setting; of values that are equally frequent, the first.
function node_state.usual(nodes)
    local usual = {}
    for _, setting in ipairs(SETTINGS) do
        local values = by_value(setting, nodes)
        local most = lists.most(values, 0, function(same) return #same end)
        local commonest = lists.find(values, function(same) return #same == most end)
        usual[setting.key] = commonest and value_of(setting, commonest[1].node)
    end
    return usual
end

-- "a, b, c and 2 more"
local function some(labels)
    return table.concat(lists.first(labels, LABELS_MOST), ", ")
        .. (#labels > LABELS_MOST and (" and %d more"):format(#labels - LABELS_MOST) or "")
end

-- "turbo off (a, b), on (c)"; nil if no two nodes differ.
local function spread(setting, nodes)
    local values = by_value(setting, nodes)
    return #values > 1 and setting.title .. " " .. lists.join(values, ", ", function(same)
        return ("%s (%s)"):format(word(value_of(setting, same[1].node)), some(lists.map(same, "label")))
    end) or nil
end

-- nodes = array of { label =, node = }: nodes whose metrics are shown next to each other -> "node state differs: turbo off (a, b), on (c);
-- LIKWID ..."; nil if their states are equal.
function node_state.among(nodes)
    local parts = lists.join(SETTINGS, "; ", function(setting) return spread(setting, nodes) end)
    return parts ~= "" and "node state differs: " .. parts or nil
end

-- nodes = array of { node = } -> { [key] = value } of the settings that verdicts depend on, where known of all nodes and equal.
function node_state.shared(nodes)
    local shared = {}
    for _, setting in ipairs(SETTINGS) do
        local values = by_value(setting, nodes)
        if #values == 1 and #values[1] == #nodes and (setting.affects or setting.changes_errata) then
            shared[setting.key] = value_of(setting, values[1][1].node)
        end
    end
    return shared
end

-- Settings { [key] = value } as text: "governor performance; turbo off"; nil without any.
function node_state.settings_text(settings)
    local text = lists.join(SETTINGS, "; ", function(setting)
        return settings[setting.key] ~= nil and setting.title .. " " .. word(settings[setting.key])
    end)
    return text ~= "" and text or nil
end

-- node_state.among for records = array of { record =, .. }; label(entry) -> the label of an entry.
function node_state.among_records(records, label)
    return node_state.among(lists.map(records, function(entry) return { label = label(entry), node = entry.record.node } end))
end

return node_state
