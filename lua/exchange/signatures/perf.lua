-- perf.lua - exports signatures as metrics of perf (tools/perf/pmu-events): expressions over core events, with MetricThreshold.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each test is a metric; the first of a signature carries the threshold, which names the others. A share of the run time is two metrics,
-- assay_PATTERN_share_least and _most; the first has the threshold. perf's expressions have no >= and <=, but < and > only.
local array = require "input.array"
local lists = require "input.lists"
local perf_events = require "input.perf_events"
local text = require "report.signature_text"

local perf = {}

local function name_of(one)
    return "assay_" .. one.pattern:gsub("[^%w]", "_")
end

local function origin_of(one)
    return ("Validated by Assay on %s %s.%s"):format(one.arch, text.origin(one), one.node_state and " The " .. one.node_state .. "." or "")
end

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
        MetricName = name_of(one) .. (number > 1 and "_" .. number or ""),
        MetricExpr = text.expression(shown, function(term) return term.text end),
        MetricGroup = "assay",
        BriefDescription = ("%s: %s"):format(one.title, text.expression(test.terms, function(term) return term.metric end)),
        PublicDescription = origin_of(one),
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

-- The metrics of a share; nil and the reason if perf cannot express it.
local function shares_of(events, one)
    local share = one.share
    local expression, why = perf_events.expression(events, share.quantity)
    if not expression then
        return nil, why
    end
    local metrics = {}
    for i, bound in ipairs { { "least", share.low }, { "most", share.high } } do
        metrics[i] = {
            MetricName = ("%s_share_%s"):format(name_of(one), bound[1]),
            MetricExpr = ("%g * (%s) / cycles"):format(bound[2], expression),
            MetricGroup = "assay",
            ScaleUnit = "100%",
            BriefDescription = ("%s: %s part of the run time"):format(one.title, bound[1]),
            PublicDescription = ("%g cycles of an event, as documented (%s). %s"):format(bound[2], share.source, origin_of(one)),
        }
    end
    metrics[1].MetricThreshold = ("%s > %g"):format(metrics[1].MetricName, share.limit)
    return metrics
end

-- given (signatures.lua), lines = text of pmu.events -> one file; signatures that perf cannot express are added to `notes`.
function perf.files(given, notes, lines)
    local events, all = perf_events.read(lines), array()
    for _, one in ipairs(given) do
        local makers = { #one.tests > 0 and metrics_of or nil }
        makers[#makers + 1] = one.share and shares_of or nil
        for _, make in ipairs(makers) do
            local metrics, why = make(events, one)
            lists.append(all, metrics or {})
            notes[#notes + 1] = not metrics and ("%s: not given: %s"):format(one.pattern, why) or nil
        end
    end
    return array { { name = "assay-metrics.json", value = all } }
end

return perf
