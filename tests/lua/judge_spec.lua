-- judge_spec.lua - errors, classes, verdicts, corrections and thresholds of metrics.
-- SPDX-License-Identifier: GPL-3.0-or-later
local controls = require "plan.controls"
local deviation = require "judge.deviation"
local fixture = require "fixture"
local judge = require "judge.judge"
local lists = require "input.lists"
local threshold = require "judge.threshold"

-- samples with expected value 100, 200, 300, 400 (interval 2 below) and the given measured values or words
local function samples_of(list, low)
    local samples = {}
    for i, measured in ipairs(list) do
        local word = type(measured) == "string"
        samples[i] = {
            point = "p" .. i,
            measured = not word and measured or nil,
            why = word and measured or nil,
            expected = { min = 100 * i - (low or 2), value = 100 * i, max = 100 * i },
            work = 100 * i,
        }
    end
    return samples
end

describe("judge", function()
    it("measures errors from the nominal value, and how far a value is outside of the interval from its nearest end", function()
        local function both(measured, low, high)
            local row = deviation.row { measured = measured, expected = { min = low or 98, value = 100, max = high or 100 } }
            local all, errors = deviation.list { row }
            return all[1], errors[1]
        end
        for _, case in ipairs { { 99, 0, -1 }, { 98, 0, -2 }, { 101, 1, 1 }, { 49, -50, -51 } } do
            local beyond, error_pct = both(case[1])
            assert.near(case[2], beyond, 1e-12)
            assert.near(case[3], error_pct, 1e-12)
            assert.near(case[3], deviation.error_pct(case[1], { min = 98, value = 100, max = 100 }), 1e-12)
        end
        assert.is_nil(deviation.error_pct(1, { min = 0, value = 0, max = 0 }))
        assert.equal(25, deviation.error_pct(1, { min = 0, value = 0, max = 4 }))
    end)

    for _, case in ipairs {
        { "exact", "validated", { 100, 201, 298, 400 } },
        { "unknown", "rejected", { 100, 203, 300, 400 } },
        { "multiplicative", "correctable", { 120, 240, 360, 480 }, "measured = 1.2 * expected" },
        { "bias", "correctable", { 150, 250, 350, 450 }, "measured = expected + 50" },
        { "multiplicative", "correctable", { 70, 120, 170, 220 }, "measured = 0.5 * expected + 20" },
        { "random", "rejected", { 100, 600, 300, 400 }, "1 of 4 points, each measured once, are far off between points that are right" },
        { "unknown", "rejected", { 120, 200, 360, 400 } },
        { "missing", "missing", { 0, 0, 0, 0 }, "0 throughout" },
        { "missing", "missing", { 250, 250, 250, 250 }, "the value does not move with the expectation" },
        { "missing", "missing", { "dash", "dash", "nan", "dash" }, "no value: dash (3), nan (1)" },
        { "unknown", "rejected", { 100, 200, "wrapped", 400 }, "some samples have no value: wrapped (1)" },
        { "exact", "validated", { 100, 200, "run failed", 400 }, "without samples of: run failed (1)" },
        { nil, "skipped", { "not modelled", "not modelled" }, "not modelled (2)" },
    } do
        it(("says %s for %s"):format(case[2], table.concat(case[3], " ")), function()
            local result = judge.metric(samples_of(case[3]), { tolerance_pct = 1 })
            assert.equal(case[1], result.class)
            assert.equal(case[2], result.verdict)
            assert.equal(case[4], result.reason)
        end)
    end

    it("lists errata for right and wrong counts, and errata of SMT only if SMT is on", function()
        assert.same({ "X1" }, { table.unpack(judge.metric(samples_of({ 100, 200 }), { tolerance_pct = 1, errata = { "X1" } }).errata) })
        local machine = fixture.machine()
        local smt = {}
        for _, threads in ipairs { 1, 2 } do
            local sample = { pattern = "p", code = "c", group = "ASSAY_AVX", metric = "AVX operations per instruction", point = "p1",
                kind = "count", measured = 1, expected = { min = 1, value = 1, max = 1 } }
            local metric = judge.metrics { pattern = {}, machine = machine, groups = fixture.groups(), samples = { sample }, skipped = {},
                node = { smt = threads } }[1]
            assert.equal("validated", metric.verdict)
            smt[threads] = { table.unpack(metric.errata) }
        end
        assert.same({ { "HSD140" }, { "HSD140", "HSD143" } }, smt)
    end)

    it("reports signed errors, and the fit", function()
        local result = judge.metric(samples_of({ 120, 240, 360, 480 }), { tolerance_pct = 1, errata = { "X1" } })
        assert.near(20, result.error_pct.avg, 1e-9)
        assert.near(1.2, result.fit.factor, 1e-9)
        assert.near(0, result.fit.offset, 1e-9)
        assert.equal(98, result.expected.min)
        assert.equal(400, result.expected.max)
        assert.equal(4, result.n)
    end)

    it("judges the residue where 0 is expected", function()
        local function zero(measured)
            return judge.metric({ { measured = measured, expected = { min = 0, value = 0, max = 0 }, work = 1000 } }, { tolerance_pct = 1 })
        end
        assert.equal("exact", zero(0).class)
        assert.equal("exact", zero(10).class)
        assert.is_nil(zero(10).error_pct)
        assert.near(1, zero(10).residue_pct.max, 1e-12)
        assert.equal("unknown", zero(11).class)
        assert.equal("expected 0, measured up to 1.1 % of the work", zero(11).reason)
    end)
end)

describe("threshold", function()
    it("is the geometric mean of the worst of both controls, the margin their ratio", function()
        local found = threshold.between({ 900, 400, 500 }, { 3, 4, 1 })
        assert.equal(40, found.value)
        assert.equal(100, found.margin)
        assert.equal("above", found.present_is)
        assert.same({ min = 400, max = 900 }, found.present)
        assert.same({ min = 1, max = 4 }, found.absent)
        found = threshold.between({ 2, 3 }, { 48, 27 })
        assert.equal("below", found.present_is)
        assert.equal(9, found.value)
        assert.equal(9, found.margin)
    end)

    it("has no value where controls are not clearly apart", function()
        for _, case in ipairs { { { 19, 30 }, { 1, 10 } }, { { 5, 30 }, { 1, 10 } }, { { 30 }, { 1, 10 } }, { { 0, 0 }, { 0, 0 } } } do
            assert.is_nil(threshold.between(case[1], case[2]).value)
        end
        assert.equal(0.5, threshold.between({ 5, 30 }, { 1, 10 }).margin)
        assert.is_nil(threshold.between({}, { 1 }))
        assert.is_nil(threshold.between({ -1, 2 }, { 5, 6 }))
    end)

    it("has no margin where the smaller control is 0", function()
        local found = threshold.between({ 8, 10 }, { 0, 0 })
        assert.equal(4, found.value)
        assert.is_nil(found.margin)
    end)

    it("selects controls by code, level, placement and thread", function()
        local sample = { code = "a", level = "MEM", placement = "S0:2", thread = 1 }
        for _, control in ipairs { {}, { code = "a" }, { level = "MEM", placement = "socket" }, { placement = "S0:2", thread = 1 } } do
            assert.is_true(controls.matches(sample, control))
        end
        for _, control in ipairs { { code = "b" }, { placement = "core" }, { level = "MEM", thread = 0 }, { placement = "S1:2" } } do
            assert.is_false(controls.matches(sample, control))
        end
    end)

    it("does not replace the tolerance, which is smaller on a virtual node", function()
        local machine, samples = fixture.machine(), {}
        for _, entry in ipairs(machine.traffic) do
            entry.virtual_pct = 0.2
        end
        for i = 1, 4 do
            samples[i] = {
                pattern = "bandwidth_saturation", code = "load", level = "MEM", placement = "S0:2", point = "p" .. i, rep = 1, thread = 0,
                group = "ASSAY_MEM", metric = "iMC volume", unit = "GBytes", measured = 100.5 * i, work = 100,
                expected = { min = 100 * i, value = 100 * i, max = 100 * i },
            }
        end
        local function judged(is_virtual)
            return judge.metrics { pattern = fixture.pattern(), machine = machine, groups = fixture.groups(), samples = samples,
                virtual = is_virtual }[1]
        end
        assert.equal("validated", judged(false).verdict)
        assert.equal(2, judged(false).tolerance_pct)
        assert.equal("correctable", judged(true).verdict)
        assert.equal(0.2, judged(true).tolerance_pct)
    end)

    it("makes wrong and unresolved metrics qualitative, and no others", function()
        local function metrics(present, absent, open)
            local samples = {}
            for place, values in pairs { ["MEM S0:2"] = present, ["L2 S0:1"] = absent } do
                local level, placement = place:match "(%S+) (%S+)"
                for i, measured in ipairs(values) do
                    samples[#samples + 1] = {
                        pattern = "bandwidth_saturation", code = "load", level = level, placement = placement, point = "p" .. i, rep = 1,
                        thread = 0, group = "ASSAY_MEM", metric = "iMC volume", unit = "GBytes", measured = measured, work = 100,
                        expected = { min = 100 * i * (1 - (open or 0)), value = 100 * i, max = 100 * i },
                    }
                end
            end
            local all = judge.metrics {
                pattern = fixture.pattern(), machine = fixture.machine(), groups = fixture.groups(), samples = samples,
            }
            return lists.index(all, "level")
        end
        local found = metrics({ 140, 200, 420, 400 }, { 10, 4, 12, 3 })
        assert.equal("unknown", found.MEM.class)
        assert.equal("qualitative", found.MEM.verdict)
        assert.near(140 / 12, found.MEM.threshold.margin, 1e-12)
        assert.near(math.sqrt(140 * 12), found.MEM.threshold.value, 1e-9)
        found = metrics({ 140, 200, 420, 400 }, { 100, 4, 12, 3 })
        assert.equal("rejected", found.MEM.verdict)
        assert.is_nil(found.MEM.threshold.value)
        assert.equal("validated", metrics({ 100, 200, 300, 400 }, { 10, 4, 12, 3 }).MEM.verdict)
        found = metrics({ 100, 200, 300, 400 }, { 10, 4, 12, 3 }, 0.5)
        assert.equal("exact", found.MEM.class)
        assert.equal("qualitative", found.MEM.verdict)
        assert.equal("unresolved", metrics({ 100, 200, 300, 400 }, { 90, 80, 70, 60 }, 0.5).MEM.verdict)
        assert.equal("correctable", metrics({ 300, 600, 900, 1200 }, { 10, 4, 12, 3 }).MEM.verdict)
        assert.equal("missing", metrics({ 0, 0, 0, 0 }, { 10, 4, 12, 3 }).MEM.verdict)
    end)
end)
