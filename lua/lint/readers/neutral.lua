-- neutral.lua - makes groups, as group.parse_noting gives them, from files of other tools. SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local formula = require "input.formula"

local neutral = {}

-- file = { file =, text = }; words as in lint/linted.lua.
function neutral.new(file, name, words)
    return { file = file.file, text = file.text, name = name, words = words, long = "", seen = {}, events = array(), metrics = array(),
        notes = array() }
end

function neutral.note(one, line, kind, text, ...)
    one.notes[#one.notes + 1] = { line = line, kind = kind, text = text:format(...) }
end

function neutral.add_event(one, line, counter, event)
    one.events[#one.events + 1] = { name = counter, counter = counter, event = event, options = "", line = line }
end

-- A formula that the rules cannot compute with: one unknown with the names that it uses.
function neutral.opaque(text, names)
    return { tree = { op = "name", name = text }, names = names, is_opaque = true }
end

-- metric = { line =, name =, unit = |nil, formula = text, parsed = |nil }; nothing is added, but a note, if the formula cannot be read.
function neutral.add_metric(one, metric)
    if one.seen[metric.name] then
        neutral.note(one, metric.line, "metric twice", "metric '%s' is there twice", metric.name)
    end
    one.seen[metric.name] = true
    local ok, parsed = true, metric.parsed
    if not parsed then
        ok, parsed = pcall(formula.parse, metric.formula)
    end
    metric.parsed = parsed
    if ok then
        metric.unit = not parsed.is_opaque and metric.unit or nil
        one.metrics[#one.metrics + 1] = metric
    else
        neutral.note(one, metric.line, "formula", "metric '%s': %s", metric.name, parsed)
    end
end

return neutral
