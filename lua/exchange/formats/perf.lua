-- perf.lua - metrics of the core's events as perf's (tools/perf/pmu-events). SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local json = require "report.page.json"
local perf_events = require "input.perf_events"

local PROVIDED = { time = "duration_time" }

return function(architecture, notes)
    local metrics, known = array(), {}
    for _, group in ipairs(architecture.groups) do
        for _, metric in ipairs(group.metrics) do
            local expression, why = perf_events.expression(architecture.events, metric, PROVIDED)
            local same = expression and known[expression]
            if same then
                why, expression = "it is " .. same, nil
            end
            if expression then
                known[expression] = metric.id
                metrics[#metrics + 1] = { MetricName = metric.id, MetricExpr = expression, MetricGroup = "assay",
                    ScaleUnit = metric.unit and "1" .. metric.unit or nil, BriefDescription = metric.name,
                    PublicDescription = table.concat(metric.facts, "\n") .. "\n" .. table.concat(architecture.origin, "\n") }
            else
                notes[#notes + 1] = ("%s, %s: not given: %s"):format(group.name, metric.name, why)
            end
        end
    end
    return json.encode(metrics) .. "\n"
end
