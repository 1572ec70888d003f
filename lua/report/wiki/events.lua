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
    local list, seen = {}, {}
    for _, section in ipairs(arch.sections) do
        for _, node in ipairs(section.nodes) do
            for _, metric in ipairs(node.metrics) do
                local key = tostring(metric.group) .. "\t" .. tostring(metric.metric)
                if metric.pattern == pattern and metric.group and not seen[key] then
                    seen[key] = true
                    list[#list + 1] = metric
                end
            end
        end
    end
    return list
end

-- An event with its filter, in the machine file's words if it has them. The suffix _OPTIONS (an event that needs options) is then
-- dropped.
local function in_words(event, machine)
    for _, filter in ipairs(machine and machine.filters or {}) do
        if filter.options == event.options then
            return ("%s:%s"):format(event.event:gsub("_OPTIONS$", ""), filter.name)
        end
    end
    return group_file.with_options(event.event, event.options)
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
    return names, vocabulary.distinct(shown_as)
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
    local list = {}
    for _, erratum in ipairs(machine and machine.errata or {}) do
        for _, event in ipairs(erratum.events) do
            if used[event] then
                list[#list + 1] = ("**%s**: %s"):format(text.escape(erratum.id), text.escape(erratum.about))
                break
            end
        end
    end
    return list
end

-- The events that the pattern file asks for; if it names none, the judged metrics.
local function desired(description, metrics)
    if description and description.desired then
        return text.escape(description.desired)
    end
    local wanted = {}
    for _, metric in ipairs(metrics) do
        if metric.boundary then
            local upper, lower = metric.boundary:match "^(%w+)%-(%w+)$"
            wanted[#wanted + 1] = upper and ("data volume between %s and %s"):format(upper, lower == "MEM" and "memory" or lower)
                or metric.boundary
        elseif metric.kind ~= "ratio" then
            wanted[#wanted + 1] = metric.metric
        end
    end
    return text.escape(table.concat(vocabulary.distinct(wanted), "; "))
end

-- Metrics of the pattern file's quantities that are judged together with another metric.
local function judged_elsewhere(description, machine)
    local list = {}
    for _, name in ipairs(description and description.judged_elsewhere or {}) do
        for _, entry in ipairs(machine and machine.traffic or {}) do
            list[#list + 1] = entry.quantity == name and { group = entry.group, metric = entry.metric } or nil
        end
    end
    return list
end

-- arch = merge.archs entry, catalogue = { patterns = {..}, machine =, groups = } or nil -> cells of the table of event sets.
function events.row(arch, pattern, catalogue)
    local metrics, machine = shown(arch, pattern.name), catalogue and catalogue.machine
    local found = { names = {}, events = {} }
    local groups, all = {}, table.move(metrics, 1, #metrics, 1, {})
    local others = judged_elsewhere(pattern.description, machine)
    for _, metric in ipairs(lists.append(all, others)) do
        groups[#groups + 1] = text.code(metric.group)
        local group = catalogue and catalogue.groups[metric.group]
        if group then
            add_events(found, group, metric, machine)
        end
    end
    local names = vocabulary.distinct(found.names)
    for i, name in ipairs(names) do
        names[i] = text.code(name)
    end
    local comments = { pattern.description and pattern.description.about and text.escape(pattern.description.about) }
    lists.append(comments, find_errata(machine, found.events))
    return desired(pattern.description, metrics), table.concat(names, ", "), table.concat(vocabulary.distinct(groups), ", "),
        table.concat(comments, "<br>")
end

return events
