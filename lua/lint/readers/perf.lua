-- perf.lua - metrics of perf and of github intel/perfmon. SPDX-License-Identifier: GPL-3.0-or-later
--
-- perf: an array of { MetricName, MetricExpr, ScaleUnit } whose expressions name events. intel/perfmon: { Metrics = array of { MetricName,
-- Formula, Events and Constants = array of { Name, Alias }, UnitOfMeasure } } whose formulas name aliases. A file is one group whose
-- counters are the events.
local formula = require "input.formula"
local lists = require "input.lists"
local neutral = require "lint.readers.neutral"
local perf_expression = require "input.perf_expression"

local perf = {}

local WORDS = { set = "the metric", undefined = "the metric has no value", unread = "the metric has no value", table = "the event lists",
    unknown = "the metric has no value" }

local UNITS = { ["MB/s"] = "MBytes/s", ["MB/sec"] = "MBytes/s", ["GB/s"] = "GBytes/s", ["GB/sec"] = "GBytes/s", GHz = "GHz" }

-- What perf and Intel's tools provide, in terms of what LIKWID does.
local CLOCK = { op = "/", left = { op = "number", value = 1 }, right = { op = "name", name = "inverseClock" } }
local TIME = { op = "name", name = "time" }
local PROVIDED = { duration_time = TIME, durationtimeinseconds = TIME, system_tsc_freq = CLOCK, ["#system_tsc_freq"] = CLOCK }

-- The event in "PMU@EVENT\,OPTION@", "EVENT@OPTION@" or "EVENT:MODIFIERS"; the text itself if it is a code or a kernel's own.
local function event_of(name)
    local first, inner = name:match "^([%w_.]+)@([^@]*)@$"
    return first and (first:find "%u" and first or inner:match "^%u[%w_.]+") or name:match "^([^:@]+):" or name
end

local function rename(node, names)
    local index = node.op == "name" and tonumber(node.name:match "^V(%d+)$")
    local name = index and names[index]
    if name then
        return type(name) == "table" and name or { op = "name", name = name }
    end
    return { op = node.op, value = node.value, sign = node.sign, left = node.left and rename(node.left, names),
        right = node.right and rename(node.right, names) }
end

local function named(plain, names)
    return (plain:gsub("V(%d+)", function(index)
        local name = names[tonumber(index)]
        return type(name) == "string" and name or nil
    end))
end

-- names: for V1, V2, .. a counter's name or a tree
local function parsed_of(plain, names)
    local ok, parsed = pcall(formula.parse, plain)
    if not ok then
        return neutral.opaque(named(plain, names), lists.collect(names, function(name) return type(name) == "string" and name end))
    end
    local tree = rename(parsed.tree, names)
    return { tree = tree, names = formula.add_names(tree, {}) }
end

local function add_event(one, line, name, is_constant)
    if not one.counters[name] then
        one.counters[name] = true
        neutral.add_event(one, line, name, event_of(name))
        one.events[#one.events].exists = not is_constant and nil
    end
end

-- alias -> name of an event or constant; nil for perf's own files, whose expressions have no aliases.
local function aliases_of(metric)
    local aliases = metric.Events and {}
    for i, list in ipairs { metric.Events or {}, metric.Constants or {} } do
        for _, entry in ipairs(list) do
            aliases[entry.Alias] = { name = entry.Name, is_constant = i == 2 }
        end
    end
    return aliases
end

-- Aliases without a use are events of their own, in no metric.
local function add_unused(one, at, metric, aliases, used)
    for _, alias in ipairs(lists.sorted(aliases)) do
        if not used[alias] and not aliases[alias].is_constant then
            neutral.add_event(one, at.Events or at.line, ("%s of %s"):format(alias, metric.MetricName), event_of(aliases[alias].name))
        end
    end
end

local function add_metric(one, at, metric)
    local text, line = metric.MetricExpr or metric.Formula, at.MetricExpr or at.Formula
    local aliases, used = aliases_of(metric), {}
    local names, plain = perf_expression.names_of(text)
    for i, name in ipairs(names) do
        local known = aliases and aliases[name] or not aliases and { name = name, is_constant = name:find "^#" ~= nil } or nil
        used[name] = true
        names[i] = PROVIDED[(known and known.name or name):lower()] or known and known.name or name
        if known and type(names[i]) == "string" then
            add_event(one, line, names[i], known.is_constant)
        end
    end
    add_unused(one, at, metric, aliases or {}, used)
    local factor, unit = (metric.ScaleUnit or "1" .. (metric.UnitOfMeasure or "")):match "^([%d.e+-]*)(.*)$"
    plain = tonumber(factor) and tonumber(factor) ~= 1 and ("(%s)*%s"):format(plain, factor) or plain
    neutral.add_metric(one, { line = line, name = metric.MetricName, unit = UNITS[unit],
        formula = named(plain, names) .. unit .. (metric.ParentCategory or ""), -- an only child has its parent's formula
        parsed = parsed_of(plain, names) })
end

-- The array of metrics in a decoded file; nil if there is none.
local function metrics_of(value)
    local listed = type(value) == "table" and (type(value.Metrics) == "table" and value.Metrics or value)
    return listed and lists.find(listed, function(one)
        return type(one) == "table" and type(one.MetricName) == "string" and (one.MetricExpr or one.Formula)
    end) and listed
end

function perf.is(value)
    return metrics_of(value) ~= nil
end

function perf.read(file, value, lines)
    local one = neutral.new(file, file.file:match "([^/]+)%.json$" or file.file, WORDS)
    one.arch, one.counters = one.name, {}
    for _, metric in ipairs(metrics_of(value)) do
        if type(metric) == "table" and type(metric.MetricExpr or metric.Formula) == "string" then
            add_metric(one, lines[metric], metric)
        end
    end
    return { one }
end

-- The events and metrics that the files name, in any case.
local function names_in(files)
    local events, metrics = {}, {}
    for _, file in ipairs(files) do
        for key, name in file.text:gmatch '"(%a+Name)"%s*:%s*"([^"]+)"' do
            if key == "EventName" or key == "MetricName" then
                (key == "EventName" and events or metrics)[name:upper()] = true
            end
        end
    end
    return events, metrics
end

-- The first word of names of several words.
local function first_word(name)
    return name:upper():match "^(%w+)[_.]" or ""
end

-- What the event lists among the files have: { table, selects, names_events } for the rules; {} without a list. Only names that begin
-- with the first word of a listed one must be there: others are the kernel's, as `slots`, or a tool's, as PERF_METRICS.RETIRING.
function perf.architecture(files)
    local events, metrics = names_in(files)
    if not next(events) then
        return {}
    end
    local first = lists.set(lists.sorted(events), first_word)
    for name in pairs(metrics) do
        events[name], first[first_word(name)] = true, true
    end
    return { table = true, limits = {}, selects = setmetatable({}, { __index = function(_, name) return events[name:upper()] end }),
        names_events = function(event)
            return event.exists and first[first_word(event.event)] and first_word(event.event) ~= ""
                and not event.event:find "_ENERGY_STATUS$" -- registers, which Intel's tools read
        end }
end

return perf
