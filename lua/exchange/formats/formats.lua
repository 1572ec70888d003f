-- formats.lua - the catalogue's validated metrics in the formats of other tools. SPDX-License-Identifier: GPL-3.0-or-later
--
--   formats.write{ catalogue = of one architecture, format = a key of FORMATS, events = text of pmu.events |nil, machine = its
--                  schema.machine |nil } -> { text =, notes = array of texts: metrics that it cannot express, with the reason }
--
-- A format is a function(architecture, notes) -> text.
--   architecture  { arch =, libpfm4 = |nil, origin = lines, evidence =, events = perf_events.read(), groups = array of group }
--   group         { name =, short =, events =, metrics = array of metric }
--   metric        { name =, id = an identifier, unit =, formula =, parsed =, events = { [name in the formula] = event },
--                   facts = lines with error bounds }
--   event         { counter =, event =, options = }
-- Metrics that need a correction are left out. Tools that count over time have no regions from which to subtract an offset.
local array = require "input.array"
local clustercockpit = require "exchange.formats.clustercockpit"
local formula = require "input.formula"
local identifier = require "exchange.identifier"
local kerncraft = require "exchange.formats.kerncraft"
local lists = require "input.lists"
local papi = require "exchange.formats.papi"
local perf = require "exchange.formats.perf"
local perf_events = require "input.perf_events"
local reframe = require "exchange.formats.reframe"
local text = require "exchange.catalogue.text"

local formats = {}

local FORMATS = { clustercockpit = clustercockpit, kerncraft = kerncraft, papi = papi, perf = perf, reframe = reframe }

local function event_of(event)
    local counter, options = event.counter:match "^([^:]+):?(.*)$"
    return { counter = counter, options = options, event = event.event }
end

local function metric_of(group, metric, by_name)
    local parsed = formula.parse(metric.formula)
    local events = {}
    for _, name in ipairs(parsed.names) do
        events[name] = by_name[name]
    end
    return { name = metric.name, unit = metric.unit, formula = metric.formula, parsed = parsed, events = events,
        id = identifier(group.name .. " " .. metric.name), facts = text.facts(metric) }
end

local function group_of(group, notes)
    local by_name = {}
    for _, event in ipairs(group.events) do
        by_name[event.counter] = event_of(event)
    end
    local found = { name = group.name, short = group.short, events = group.events, metrics = {} }
    for _, metric in ipairs(group.metrics) do
        if metric.verdict == "validated" then
            found.metrics[#found.metrics + 1] = metric_of(group, metric, by_name)
        else
            notes[#notes + 1] = ("%s, %s: not given: it is %s"):format(group.name, metric.name, metric.verdict)
        end
    end
    return found
end

function formats.write(argument)
    local one, notes = argument.catalogue.architectures[1], array()
    local written = FORMATS[argument.format]({
        arch = one.arch, evidence = one.evidence, settings = one.settings or {}, origin = text.origin(one, argument.catalogue.assay),
        libpfm4 = argument.machine and argument.machine.libpfm4, events = perf_events.read(argument.events or ""),
        groups = lists.map(one.groups, function(group) return group_of(group, notes) end),
    }, notes)
    return { text = written, notes = notes }
end

return formats
