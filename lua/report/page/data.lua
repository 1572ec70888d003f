-- data.lua - the data for the report page's script (page.js).
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local deviation = require "judge.deviation"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local html_data = {}

local function sample_row(sample)
    local expected = sample.expected or {}
    local error_pct = sample.measured and sample.expected and deviation.error_pct(sample.measured, sample.expected) or nil
    return table.pack(sample.point, sample.rep, sample.thread, sample.measured, expected.min, expected.value, expected.max, error_pct,
        sample.why)
end

-- Keys of a metric that are the same in its row.
local SAME = { "verdict", "pattern", "code", "level", "placement", "group", "metric", "kind", "class", "unit", "resolution", "reason",
    "fit", "correction", "threshold", "oracles", "errata", "noise" }

local function row_of(metric, samples)
    local errors = metric.error_pct or {}
    local row = { rank = vocabulary.VERDICT_RANK[metric.verdict], expected = metric.expected and metric.expected.mean,
        measured = metric.measured and metric.measured.mean, min = errors.min, avg = errors.avg, max = errors.max, sd = errors.sd,
        tolerance = metric.tolerance_pct, residue = metric.residue_pct, samples = array(lists.map(samples, sample_row)) }
    for _, key in ipairs(SAME) do
        row[key] = metric[key]
    end
    return row
end

-- Per metric its sort keys, facts and samples.
function html_data.rows(record)
    local _, samples = lists.group(record.samples, function(sample) return vocabulary.identity(sample) end)
    return array(lists.map(record.metrics, function(metric) return row_of(metric, samples[vocabulary.identity(metric)] or {}) end))
end

return html_data
