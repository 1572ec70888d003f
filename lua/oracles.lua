-- oracles.lua - one quantity, up to four counts: reported by LIKWID, predicted by the model, counted in the code, simulated.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "cells"
local report = require "report"
local stats = require "stats"

local oracles = {}

local WIDTH = 100
local NAMES = { "predicted", "counted", "simulated" }

-- Values of a key over samples; nil if one of them lacks it: means are compared over the same samples only.
local function column(samples, key)
    local values = {}
    for i, sample in ipairs(samples) do
        values[i] = sample[key]
        if not values[i] then
            return nil
        end
    end
    return values
end

-- Samples of one metric -> { reported =, predicted =, counted = |nil, simulated = |nil }: means over the samples with a value and
-- an expectation; nil where none is counted or simulated besides.
function oracles.summary(samples)
    local seen, predicted = {}, {}
    for _, sample in ipairs(samples) do
        if sample.measured and sample.expected then
            seen[#seen + 1], predicted[#predicted + 1] = sample, sample.expected.value
        end
    end
    local counted, simulated = column(seen, "counted"), column(seen, "simulated")
    if #seen == 0 or not (counted or simulated) then
        return nil
    end
    return {
        reported = stats.mean(column(seen, "measured")),
        predicted = stats.mean(predicted),
        counted = counted and stats.mean(counted),
        simulated = simulated and stats.mean(simulated),
    }
end

-- "12.3 MB (+0.1 %)": an oracle's value, and how far the reported one is from it.
local function cell(found, name, unit)
    local value = found[name]
    if not value then
        return "-"
    elseif value == 0 then
        return report.amount(value, unit)
    end
    return ("%s (%s %%)"):format(report.amount(value, unit), report.percent(100 * (found.reported / value - 1)))
end

local function make_rows(metrics)
    local has_levels = false
    for _, metric in ipairs(metrics) do
        has_levels = has_levels or metric.oracles and metric.level ~= nil
    end
    local rows = { { "code", has_levels and "level" or "", "metric", "reported", table.unpack(NAMES) } }
    for _, metric in ipairs(metrics) do
        local found = metric.oracles
        if found then
            local level = has_levels and (metric.level or "-") or ""
            local row = { metric.code or "all", level, metric.metric, report.amount(found.reported, metric.unit) }
            for _, name in ipairs(NAMES) do
                row[#row + 1] = cell(found, name, metric.unit)
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

local function join(row, widths)
    local line = {}
    for i, text in ipairs(row) do
        if widths[i] > 0 then
            line[#line + 1] = cells.pad(text, widths[i])
        end
    end
    return (table.concat(line, "  "):gsub("%s+$", ""))
end

-- { record =, width = columns|nil } -> { text = lines that end with a newline }: a row per metric that has oracles. Behind each
-- oracle stands by how much the reported count differs from it.
function oracles.render(argument)
    local rows, widths = make_rows(argument.record.metrics), {}
    if #rows == 1 then
        return { text = "no metric of this record was counted in the code or simulated\n" }
    end
    for _, row in ipairs(rows) do
        for i, text in ipairs(row) do
            widths[i] = math.max(widths[i] or 0, cells.width(text))
        end
    end
    local lines = {}
    for i, row in ipairs(rows) do
        lines[i] = cells.cut(join(row, widths), argument.width or WIDTH, "")
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return oracles
