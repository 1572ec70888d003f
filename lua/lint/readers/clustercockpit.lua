-- clustercockpit.lua - cc-metric-collector's `likwid` configuration, or one event set of it. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local neutral = require "lint.readers.neutral"

local clustercockpit = {}

local LEFT_OUT = "the collector leaves the metric out"
local WORDS = { set = "the event set", undefined = LEFT_OUT, unread = LEFT_OUT, left_out = LEFT_OUT,
    table = "LIKWID's table", unknown = "LIKWID refuses the event set" }
local GLOBAL = { set = "globalmetrics", lacks = "is a metric of no event set", undefined = LEFT_OUT, unread = LEFT_OUT,
    left_out = LEFT_OUT }

-- The collector's units are free text; those that differ from LIKWID's in letters only are read as LIKWID's.
local function unit_of(text)
    local prefix, word, rate = (text or ""):match "^(%a)(%a+)(/?s?)$"
    local known = { byte = "Byte", bytes = "Bytes", b = "Bytes", flop = "FLOP", flops = "FLOP" }
    return word and known[word:lower()] and prefix:upper():gsub("K", "k") .. known[word:lower()] .. rate or text
end

local function add_metric(one, at, metric)
    local text, name = metric.calc, metric.name
    if type(text) ~= "string" or type(name) ~= "string" then
        return neutral.note(one, at.line, "metric line", "a metric needs a name and calc, both texts")
    end
    local short, unit = name:match "^(.-)%s*%[([^%]]*)%]$" -- as LIKWID writes it, which the collector's converter keeps
    local is_global = one.words == GLOBAL -- made of metrics, whose units are known where they are made
    neutral.add_metric(one, { line = at.calc, name = short or name, formula = text,
        unit = not is_global and unit_of(metric.unit or unit) or nil, type = metric.type or "" })
    if text:find ":" then
        neutral.note(one, at.calc, "formula", "metric '%s': options of a counter cannot stand in calc", name)
    end
end

local function metrics_of(one, metrics, lines)
    for _, metric in ipairs(type(metrics) == "table" and metrics or {}) do
        add_metric(one, lines[metric], metric)
    end
    return one
end

local function set_of(file, index, set, lines, twice)
    local one = neutral.new(file, "eventsets " .. index, WORDS)
    for _, counter in ipairs(lists.sorted(set.events)) do
        neutral.add_event(one, lines[set.events][counter], counter, tostring(set.events[counter]))
    end
    for _, same in ipairs(twice) do
        if same.object == set.events then
            neutral.note(one, same.line, "counter twice", "counter %s is used twice", same.name)
        end
    end
    return metrics_of(one, set.metrics, lines)
end

-- The metrics of all event sets are the counters of the global ones.
local function global_of(file, sets, metrics, lines)
    local one, known = neutral.new(file, "globalmetrics", GLOBAL), {}
    for _, set in ipairs(sets) do
        for _, metric in ipairs(set.metrics) do
            if not known[metric.name] then
                neutral.add_event(one, metric.line, metric.name, metric.name)
                one.events[#one.events].exists = false -- may be a metric in its own right: unused ones are none of the rules' business
            end
            known[metric.name] = true
        end
    end
    return metrics_of(one, metrics, lines)
end

-- The part with eventsets, or one event set as a list of one; nil if there is none.
local function part(value)
    local likwid = type(value) == "table" and (value.eventsets and value or type(value.likwid) == "table" and value.likwid)
    if likwid and likwid.eventsets then
        return likwid
    end
    return type(value) == "table" and type(value.events) == "table" and type(value.metrics) == "table" and { eventsets = { value } } or nil
end

function clustercockpit.is(value)
    return part(value) ~= nil
end

function clustercockpit.read(file, value, lines, twice)
    local own = part(value)
    local sets = lists.map(lists.filter(own.eventsets, function(set) return type(set.events) == "table" end),
        function(set, i) return set_of(file, i, set, lines, twice) end)
    lists.append(sets, own.globalmetrics and { global_of(file, sets, own.globalmetrics, lines) } or {})
    return sets
end

return clustercockpit
