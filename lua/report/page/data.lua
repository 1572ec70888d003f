-- data.lua - the data for the report page's script (html/page.js).
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local deviation = require "judge.deviation"
local vocabulary = require "judge.vocabulary"

local html_data = {}

local function sample_row(sample)
    local expected = sample.expected or {}
    local error_pct = sample.measured and sample.expected and deviation.error_pct(sample.measured, sample.expected) or nil
    return table.pack(sample.point, sample.rep, sample.thread, sample.measured, expected.min, expected.value, expected.max, error_pct,
        sample.why)
end

-- Per metric its sort keys, facts and samples.
function html_data.rows(record)
    local samples = {}
    for _, sample in ipairs(record.samples) do
        local key = vocabulary.identity(sample)
        samples[key] = samples[key] or array()
        table.insert(samples[key], sample_row(sample))
    end
    local rows = array()
    for i, metric in ipairs(record.metrics) do
        local errors = metric.error_pct or {}
        rows[i] = {
            rank = vocabulary.VERDICT_RANK[metric.verdict],
            verdict = metric.verdict,
            pattern = metric.pattern,
            code = metric.code,
            level = metric.level,
            placement = metric.placement,
            group = metric.group,
            metric = metric.metric,
            kind = metric.kind,
            class = metric.class,
            unit = metric.unit,
            expected = metric.expected and metric.expected.mean,
            measured = metric.measured and metric.measured.mean,
            min = errors.min,
            avg = errors.avg,
            max = errors.max,
            sd = errors.sd,
            tolerance = metric.tolerance_pct,
            resolution = metric.resolution,
            reason = metric.reason,
            fit = metric.fit,
            residue = metric.residue_pct,
            correction = metric.correction,
            threshold = metric.threshold,
            oracles = metric.oracles,
            errata = metric.errata,
            samples = samples[vocabulary.identity(metric)] or array(),
        }
    end
    return rows
end

return html_data
