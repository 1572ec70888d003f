-- perf.lua - exports signatures as metrics of perf (tools/perf/pmu-events): expressions over core events, with MetricThreshold.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each test is a metric; the first of a signature carries the threshold, which names the others.
local array = require "input.array"
local perf_events = require "exchange.perf_events"
local text = require "report.signature_text"

local perf = {}

local function metric_of(events, one, number, test)
    local shown = {}
    for key, term in pairs(test.terms) do
        local expression, why = perf_events.expression(events, term)
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
    local events, all = perf_events.read(lines), array()
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
