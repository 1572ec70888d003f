-- events.lua - table of a pattern's desired events and the events of an architecture that the suite's groups use for them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Needs pattern, machine and group files as well as records; cells of a missing file stay empty.
local group_file = require "input.group"
local lists = require "input.lists"
local text = require "report.wiki.text"
local vocabulary = require "judge.vocabulary"

local events = {}

-- Metrics of a pattern with a group, over all nodes of an architecture: distinct { group =, metric = }.
local function shown(arch, pattern)
    local metrics = lists.filter(lists.flat(lists.flat(arch.sections, "nodes"), "metrics"), function(metric)
        return metric.pattern == pattern and metric.group
    end)
    return lists.map(lists.group(metrics, function(metric) return metric.group .. "\t" .. tostring(metric.metric) end), function(same)
        return same[1]
    end)
end

-- An event with its filter, in the machine file's words if it has them. The suffix _OPTIONS (an event that needs options) is then
-- dropped.
local function in_words(event, machine)
    local filter = lists.find(machine and machine.filters or {}, function(known) return known.options == event.options end)
    return filter and event.event:gsub("_OPTIONS$", "") .. ":" .. filter.name or group_file.with_options(event.event, event.options)
end

-- Events of a metric in the group's order: their names, and their texts with filters; boxes of one kind are merged.
function events.of_metric(group, metric, machine)
    local own = group_file.metric(group, metric)
    local names, shown_as = {}, {}
    for i, event in ipairs(own and group_file.events_of(group, own) or {}) do
        local unit = event.counter:match "^(%a+)%d+C%d+$"
        names[i] = event.event
        shown_as[i] = (unit and unit ~= "CPU" and unit .. ":" or "") .. in_words(event, machine)
    end
    return names, lists.distinct(shown_as)
end

local function add_events(found, group, metric, machine)
    local names, shown_as = events.of_metric(group, vocabulary.in_group(metric.metric), machine)
    for _, name in ipairs(names) do
        found.events[name] = true
    end
    lists.append(found.names, shown_as)
end

-- Errata of the machine file for at least one of the events: "ID: about".
local function find_errata(machine, used)
    return lists.collect(machine and machine.errata or {}, function(erratum)
        return lists.any(erratum.events, function(event) return used[event] end)
            and ("**%s**: %s"):format(text.escape(erratum.id), text.escape(erratum.about))
    end)
end

-- The events that the pattern file asks for; if it names none, the judged metrics.
local function desired(description, metrics)
    if description and description.desired then
        return text.escape(description.desired)
    end
    local wanted = lists.collect(metrics, function(metric)
        if metric.boundary then
            local upper, lower = metric.boundary:match "^(%w+)%-(%w+)$"
            return upper and ("data volume between %s and %s"):format(upper, lower == "MEM" and "memory" or lower) or metric.boundary
        end
        return metric.kind ~= "ratio" and metric.metric
    end)
    return text.escape(table.concat(lists.distinct(wanted), "; "))
end

-- Metrics of the pattern file's quantities that are judged together with another metric.
local function judged_elsewhere(description, machine)
    return lists.flat(description and description.judged_elsewhere or {}, function(name)
        return lists.filter(machine and machine.traffic or {}, function(entry) return entry.quantity == name end)
    end)
end

-- arch = merge.archs entry, catalogue = { patterns = {..}, machine =, groups = } or nil -> cells of the table of event sets.
function events.row(arch, pattern, catalogue)
    local metrics, machine = shown(arch, pattern.name), catalogue and catalogue.machine
    local found = { names = {}, events = {} }
    local all = lists.joined(metrics, judged_elsewhere(pattern.description, machine))
    for _, metric in ipairs(all) do
        local group = catalogue and catalogue.groups[metric.group]
        if group then
            add_events(found, group, metric, machine)
        end
    end
    local comments = { pattern.description and pattern.description.about and text.escape(pattern.description.about) }
    lists.append(comments, find_errata(machine, found.events))
    return desired(pattern.description, metrics), lists.join(lists.distinct(found.names), ", ", text.code),
        lists.join(vocabulary.values(all, "group"), ", ", text.code), table.concat(comments, "<br>")
end

return events
