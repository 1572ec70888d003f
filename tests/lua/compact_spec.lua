-- compact_spec.lua - a compact record gives the same answer about every correction as the record with samples.
-- SPDX-License-Identifier: GPL-3.0-or-later
local combine = require("exchange.catalogue.metric").combine
local compact = require "record.compact"
local deviation = require "judge.deviation"
local lists = require "input.lists"
local records = require "records"
local stats = require "numeric.stats"

-- Samples of one metric: amounts of several sizes, off by a factor, an offset and noise; some with an interval, some where 0 is expected.
local function make_samples(count, zeros)
    local samples = {}
    for i = 1, count do
        local expected = 10 ^ (6 * math.random())
        local width = math.random() < 0.3 and 0.1 * expected * math.random() or 0
        samples[i] = records.sample {
            metric = "m",
            point = "p" .. i,
            regions = i % 7 == 0 and 0 or nil,
            measured = expected * (1.5 + 0.3 * math.random()) + 20 * math.random(),
            expected = { min = expected - width, value = expected, max = expected + width },
            work = expected,
        }
        if i <= zeros then
            samples[i].expected = { min = 0, value = 0, max = i % 2 == 0 and width or 0 }
        end
    end
    return samples
end

local function metric_of(samples)
    return records.metric { pattern = "line_sharing", code = "shared", placement = "S0:2", group = "G", metric = "m", n = #samples }
end

local function extremes_of(samples)
    local metric = metric_of(samples)
    metric.level = nil
    return compact.extremes { record = records.record({ metric }, { samples = samples }) }[1], metric
end

local function rows_of(samples)
    return lists.map(samples, deviation.row)
end

describe("compact", function()
    it("keeps the worst errors and residues after any correction, from few samples", function()
        math.randomseed(7)
        local all, kept = 0, 0
        for round = 1, 40 do
            local samples = make_samples(200, round % 3 == 0 and 5 or 0)
            local extremes = extremes_of(samples)
            local rows, less = rows_of(samples), compact.rows(extremes)
            all, kept = all + #rows, kept + #less
            for _ = 1, 50 do
                local factor, offset = 2 * math.random() + 0.1, 200 * (math.random() - 0.5)
                local function correct(row)
                    return (row.y - offset * row.regions) / factor
                end
                local _, errors, residues = deviation.list(rows, correct)
                local _, few_errors, few_residues = deviation.list(less, correct)
                for _, pair in ipairs { { errors, few_errors }, { residues, few_residues } } do
                    local low, high = stats.range(pair[1])
                    local few_low, few_high = stats.range(pair[2])
                    if low then
                        assert.near(low, few_low, 1e-9 * (1 + math.abs(low)))
                        assert.near(high, few_high, 1e-9 * (1 + math.abs(high)))
                    else
                        assert.is_nil(few_low)
                    end
                end
            end
            assert.equal(#samples, extremes.errors + extremes.residues)
        end
        assert.is_true(kept < all / 4)
    end)

    it("keeps one of several equal samples, and nothing of a metric without values", function()
        local sample = records.sample { metric = "m", measured = 5, expected = 4 }
        assert.same({ errors = 3, residues = 0, rows = { { 4, 4, 5, 4, 4, 1 } } }, (extremes_of { sample, sample, sample }))
        assert.same({ errors = 0, residues = 0, rows = {} },
            (extremes_of { records.sample { metric = "m", why = "dash", expected = 4 } }))
    end)

    it("gives the catalogue the same verdicts as samples do", function()
        math.randomseed(11)
        local samples = make_samples(60, 4)
        local extremes, row = extremes_of(samples)
        local _, errors, residues = deviation.list(rows_of(samples))
        row.error_pct, row.residue_pct = stats.summary(errors), stats.summary(residues)
        for _, tolerance in ipairs { 1, 1000 } do -- too small for the correction, and large enough
            row.verdict, row.class, row.tolerance_pct = "correctable", "multiplicative", tolerance
            row.correction = { factor = 1.6, offset = 3 }
            row.extremes = nil
            local full = combine({ row }, samples)
            row.extremes = extremes
            local less = combine({ row }, {})
            assert.equal(full.verdict, less.verdict)
            assert.equal(full.reason, less.reason)
            assert.equal(60, less.n)
            assert.same(full.error_pct, less.error_pct)
            assert.same(full.residue_pct, less.residue_pct)
            assert.equal(full.correction ~= nil, tolerance == 1000)
            if full.correction then
                assert.near(full.correction.error_pct.max, less.correction.error_pct.max, 1e-9)
                assert.near(full.correction.error_pct.min, less.correction.error_pct.min, 1e-9)
            end
        end
    end)

    it("weighs records with and without samples by their numbers of samples", function()
        local with = records.sample { metric = "m", measured = 11, expected = 10 }
        local row = { verdict = "validated", n = 1, tolerance_pct = 20, code = with.code, level = with.level, placement = with.placement }
        local without = { verdict = "validated", n = 3, tolerance_pct = 20, error_pct = { min = 2, avg = 2, max = 2 },
            extremes = { errors = 3, residues = 0, rows = { { 10, 10, 10.2, 10 } } } }
        local found = combine({ row, without }, { with })
        assert.equal(4, found.n)
        assert.near(4, found.error_pct.avg, 1e-12)
        assert.near(10, found.error_pct.max, 1e-12)
        assert.equal(2, found.error_pct.min)
    end)
end)
