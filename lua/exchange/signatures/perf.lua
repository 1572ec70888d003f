-- perf.lua - exports signatures as metrics of perf (tools/perf/pmu-events): expressions over core events, with MetricThreshold.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each test is a metric; the first of a signature carries the threshold, which names the others. Events are given by their codes from
-- the architecture's pmu.events, because LIKWID's names are not perf's: cpu@event\=0xc5\,umask\=0x0@. Fixed counters are perf's generic
-- events, in their order.
local array = require "input.array"
local pmu_lines = require "input.pmu_lines"
local text = require "report.signature_text"

local perf = {}

local FIXED = { FIXC0 = "instructions", FIXC1 = "cycles", FIXC2 = "ref\\-cycles" }

-- Core events in the text of pmu.events: { [event's name] = { code =, umask =, is_response = } }.
local function read_events(table_text)
    local known, found = {}, pmu_lines.read(table_text)
    for _, event in ipairs(found.events) do
        known[event.name] = event.unit == "PMC" and event or known[event.name]
    end
    for _, response in ipairs(found.responses) do
        known[response.name] = { code = response.code, umask = response.umask, is_response = true }
    end
    return known
end

-- perf's name for the event of a group's counter; nil and the reason if there is none.
local function event_of(events, event)
    if FIXED[event.counter] then
        return FIXED[event.counter]
    elseif not event.counter:find "^PMC%d+$" then
        return nil, "perf names the boxes outside of the cores otherwise"
    end
    local known = events[event.event]
    local request, response = event.options:match "^MATCH0=(0x%x+):MATCH1=(0x%x+)$"
    if not known or (event.options ~= "") ~= (known.is_response and request ~= nil or false) then
        return nil, ("the code of %s is not known"):format(event.event)
    end
    local parts = { ("event\\=%#x"):format(known.code), ("umask\\=0x%x"):format(known.umask) }
    parts[3] = request and ("offcore_rsp\\=%#x"):format(tonumber(request) | tonumber(response) << 16) or nil
    return ("cpu@%s@"):format(table.concat(parts, "\\,"))
end

-- A term's formula over perf's events; nil and the reason if perf cannot express it.
local function expression_of(events, term)
    local names = {}
    for _, name in ipairs(term.parsed.names) do
        if not term.events[name] then
            return nil, ("its formula has %s"):format(name)
        end
        local shown, why = event_of(events, term.events[name])
        if not shown then
            return nil, why
        end
        names[name] = shown
    end
    return (term.formula:gsub("%f[%w_][%a_][%w_:=]*", names))
end

local function metric_of(events, one, number, test)
    local shown = {}
    for key, term in pairs(test.terms) do
        local expression, why = expression_of(events, term)
        if not expression then
            return nil, why
        end
        shown[key] = { text = #term.parsed.names > 1 and "(" .. expression .. ")" or expression }
    end
    return {
        MetricName = ("assay_%s%s"):format(one.pattern:gsub("[^%w]", "_"), number > 1 and "_" .. number or ""),
        MetricExpr = text.expression(shown, function(term) return term.text end),
        MetricGroup = "assay",
        BriefDescription = ("%s: %s"):format(one.title, text.expression(test.terms, function(term) return term.metric end)),
        PublicDescription = ("Validated by Assay on %s %s.%s"):format(one.arch, text.origin(one),
            one.node_state and " The " .. one.node_state .. "." or ""),
    }
end

local function metrics_of(events, one)
    local metrics, conditions = {}, {}
    for number, test in ipairs(one.tests) do
        if test.spread then
            return nil, "a metric is of one thread, not of the spread of several"
        end
        local metric, why = metric_of(events, one, number, test)
        if not metric then
            return nil, why
        end
        local operator, limit = text.side(test)
        metrics[number] = metric
        conditions[number] = ("%s %s %s"):format(metric.MetricName, operator:sub(1, 1), limit)
    end
    metrics[1].MetricThreshold = table.concat(conditions, " & ")
    return metrics
end

-- given (signatures.lua), lines = text of pmu.events -> one file; signatures that perf cannot express are added to `notes`.
function perf.files(given, notes, lines)
    local events, all = read_events(lines), array()
    for _, one in ipairs(given) do
        local metrics, why = metrics_of(events, one)
        if metrics then
            table.move(metrics, 1, #metrics, #all + 1, all)
        else
            notes[#notes + 1] = ("%s: not given: %s"):format(one.pattern, why)
        end
    end
    return array { { name = "assay-metrics.json", value = all } }
end

return perf
