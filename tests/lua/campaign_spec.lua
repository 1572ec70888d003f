-- campaign_spec.lua - from raw counts to the table: samples, metrics, text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local judge = require "judge.judge"
local lists = require "input.lists"
local report = require "report.text.report"
local samples = require "read.samples"

-- Lines of the load kernel in L2: one stream, read once a sweep; every thread sees the same counts.
local ENDS = 7 -- lines that a region costs, whatever is in it
local SAMPLES = 4 * (6 + 4) -- points; quantities, and the number of them with an expected value, which also have a difference

local function count_regions(job, change)
    local regions = {}
    for _, point in ipairs(job.points) do
        for _, part in ipairs { point, point.base } do
            local lines = (point.elements * 8 // 64 + 2) * part.passes -- two of the sweep's own
            local row = { cpu = job.cpus[1], seconds = 0.005 * part.passes, calls = 1, absent = {} }
            row.counts = { PMC0 = lines + ENDS, PMC1 = part.passes, FIXC0 = 1, FIXC1 = 1, FIXC2 = 1 }
            regions[part.region] = { change and change(row, point) or row }
        end
    end
    return regions
end

describe("a campaign", function()
    local context = { machine = fixture.machine(), node = fixture.node(), kernels = fixture.kernels(), groups = fixture.groups(), rep = 1 }
    context.pattern = fixture.pattern()
    context.pattern.codes = { context.pattern.codes[1] }
    context.pattern.against = {} -- the level's own boundary alone
    local planned = require("plan.plan").make({
        patterns = { context.pattern }, machine = context.machine, node = context.node, kernels = context.kernels,
        groups = context.groups, options = { level = "L2" },
    })[1]
    context.job, context.run = planned.jobs[1], planned.jobs[1].runs[1]

    local function read(change)
        context.regions = count_regions(context.job, change)
        return samples.read(context)
    end

    local function judged(list)
        local metrics = judge.metrics {
            pattern = context.pattern, machine = context.machine, groups = context.groups, samples = list, skipped = planned.skipped,
        }
        local by_name = lists.index(metrics, "metric")
        return by_name, metrics
    end

    it("measures volume and bandwidth from raw counts", function()
        local list = read()
        assert.equal(SAMPLES, #list)
        -- p1: 8192 elements, 200 sweeps: (65536 bytes and two lines) * 200, and one of these in the base
        assert.near(13.1328e-3 + ENDS * 64e-9, list[1].measured, 1e-12)
        assert.near(13.1328e-3, list[1].expected.value, 1e-12)
        assert.equal("load.L2.S0.1.p1.difference", list[2].point)
        assert.near(199 * 65664e-9, list[2].measured, 1e-12)
        assert.near(199 * 65664e-9, list[2].expected.min, 1e-12)
        assert.equal(list[2].expected.min, list[2].expected.max)
        assert.equal("L1-L2 load bandwidth", list[6].metric)
        assert.near(13.1328 + ENDS * 64e-6, list[6].measured, 1e-9)
        assert.near(65.664e-3 / 0.005, list[7].measured, 1e-9)
        local by_name = judged(list)
        for _, metric in pairs(by_name) do
            -- the kernel only loads: for lines that leave L1, only 0 is expected
            assert.equal(metric.direction == "evict" and "untested" or "validated", metric.verdict)
            assert.equal(metric.direction == "evict" and 4 or 8, metric.n)
        end
        assert.near(1, by_name["L1-L2 volume"].fit.factor, 1e-5) -- ENDS are in the regions, not in their differences
    end)

    for word, change in pairs {
        ["missing region"] = function(row) row.cpu = 9 return row end,
        ["dash"] = function(row) row.counts.PMC0, row.absent.PMC0 = nil, "dash" return row end,
        ["not programmed"] = function(row) row.counts.PMC0 = nil return row end,
        ["wrapped"] = function(row) row.counts.PMC0 = 2 ^ 48 - 5 return row end,
        ["region entered 2 times"] = function(row) row.calls = 2 return row end,
    } do
        it("names the reason: " .. word, function()
            local list = read(change)
            assert.equal(SAMPLES, #list)
            assert.is_nil(list[1].measured)
            assert.equal(word, list[1].why)
            assert.equal("missing", judged(list)["L1-L2 load volume"].verdict)
        end)
    end

    it("skips metrics of a failed run", function()
        local list = samples.failed(lists.merge({ why = "killed" }, context))
        assert.equal(SAMPLES, #list)
        assert.equal("run failed: killed", list[1].why)
        assert.equal("skipped", judged(list)["L1-L2 volume"].verdict)
    end)

    local function render(kind, list, all)
        local _, metrics = judged(list)
        local record = {
            node = { kind = kind, name = "N", arch = "haswellEP" },
            metrics = metrics,
            failures = { { command = "likwid-perfctr -C 0", status = 1, stderr_tail = "one\ntwo\n" } },
        }
        return report.render({ record = record, all = all, width = 100 }).text
    end

    it("shows total volumes within the terminal's width, and names the node", function()
        local text = render("virtual", read())
        assert.matches("^virtual node N: not evidence about silicon\n", text)
        assert.matches("\nbandwidth_saturation: L1%-L2 volume, data in L2, on S0:1\n", text)
        assert.matches("\nload +19%.%d MB +19%.%d MB .* exact +validated\n", text)
        assert.is_nil(text:find("L1-L2 load volume", 1, true))
        assert.matches("\n6 metrics: 4 validated, 2 untested; of the validated, 2 are rates, whose time is not judged "
            .. "%(shown: counts and total volumes%)\n", text)
        assert.matches("\nfailed %(status 1%): likwid%-perfctr %-C 0\n    two\n$", text)
        for line in render("native", read(), true):gmatch("[^\n]+") do
            assert.is_true(#line <= 100, line)
        end
        assert.matches("L1%-L2 load volume", render("native", read(), true))
    end)

    it("names codes in full, and units other than bytes in titles", function()
        local function rows(code, width)
            local metric = { pattern = "p", metric = "Rate", placement = "S0:1", code = code, kind = "count", unit = "MFLOP/s",
                verdict = "missing", expected = { mean = 100 }, measured = { mean = 99 } }
            return report.render({ record = { node = { kind = "native", name = "N" }, metrics = { metric } }, width = width }).text
        end
        assert.matches("\np: Rate, on S0:1, in MFLOP/s\nregisters +100 +99 ", rows("registers", 100))
        assert.matches("\nregisters_twice\n +100 +99 ", rows("registers_twice", 60))
    end)

    it("has the columns that README.md shows", function()
        local function titles(text)
            return text:match("\n%s*(code +expected[^\n]+)"):gsub("%s+", " ")
        end
        assert.equal(titles(render("virtual", read())), titles(fixture.text "README.md"))
    end)

    it("colours only the verdict", function()
        local _, metrics = judged(read())
        local record = { node = { kind = "virtual", name = "N", arch = "haswellEP" }, metrics = metrics }
        local text = report.render({ record = record, colour = true }).text
        assert.matches("exact +\27%[32mvalidated\27%[0m\n", text)
        assert.equal(report.render({ record = record }).text, (text:gsub("\27%[%d+m", "")))
    end)

    it("writes amounts and errors with three digits", function()
        assert.equal("1.23 GB", report.amount(1.2345, "GBytes"))
        assert.equal("1 MB", report.amount(0.0009999, "GBytes"))
        assert.equal("12.3 MB/s", report.amount(12.345, "MBytes/s"))
        assert.equal("-", report.amount(nil, "GBytes"))
        assert.equal("+0.0123", report.percent(0.012345))
        assert.equal("-100", report.percent(-100))
        assert.equal("1.23e-05", (report.percent(0.000012345):gsub("^%+", "")))
    end)
end)
