-- catalogue_spec.lua - which groups a tool may rely on, by what evidence. SPDX-License-Identifier: GPL-3.0-or-later
local catalogue = require "exchange.catalogue.catalogue"
local combine = require "exchange.catalogue.metric"
local formats = require "exchange.formats.formats"
local group = require "input.group"
local judge = require "judge.judge"
local lists = require "input.lists"

local GROUP = {
    arch = "testarch",
    file = "groups/testarch/G.txt",
    text = table.concat({ "SHORT Title", "", "EVENTSET", "FIXC0 INSTR_RETIRED_ANY", "PMC0:EDGEDETECT LINES", "PMC1 OTHER", "", "METRICS",
        "Runtime (RDTSC) [s] time", "Lines [GBytes] 1.0E-09*PMC0:EDGEDETECT", "Other PMC1", "Both PMC0:EDGEDETECT+PMC1", "", "LONG",
        "What it is.", "" }, "\n"),
}

-- Samples of a metric at three sizes, measured = change(expected).
local function samples(metric, code, change)
    local list = {}
    for i, size in ipairs { 1000, 2000, 4000 } do
        list[i] = { pattern = "p", code = code, group = "G", metric = metric, point = code .. i, rep = 1, thread = 0, work = size,
            unit = "GBytes", measured = change(size), expected = { min = size, value = size, max = size } }
    end
    return list
end

-- A record as the host makes one: metrics judged from their samples.
local function record(by_metric, change)
    local one = { schema = 1, assay = "0.1.0", started = "2026-01-02T03:04:05Z", faults = {}, metrics = {}, samples = {}, failures = {},
        node = { kind = "virtual", name = "n", arch = "testarch", cpu = "cpu", likwid = "5.2.2" } }
    for _, list in ipairs(by_metric) do
        local metric = judge.metric(list, { tolerance_pct = 1 })
        metric.group, metric.metric, metric.code, metric.unit = "G", list[1].metric, list[1].code, "GBytes"
        one.metrics[#one.metrics + 1] = metric
        table.move(list, 1, #list, #one.samples + 1, one.samples)
    end
    if change then
        change(one)
    end
    return { file = "r.json", record = one }
end

local function exact(x) return x end
local function twice(x) return 2 * x end
local function thrice(x) return 3 * x end
local function noise(x) return x == 2000 and 9000 or x end

local function make(records, verdicts)
    return catalogue.make { records = records, groups = { GROUP }, verdicts = verdicts, assay = "0.1.0" }
end

local function names(list)
    return lists.map(list, "name")
end

describe("a metric over all its rows", function()
    local function over(...)
        local one = record { ... }
        return combine.combine(one.record.metrics, one.record.samples)
    end

    it("is as good as its worst row", function()
        assert.equal("validated", over(samples("Lines", "a", exact), samples("Lines", "b", exact)).verdict)
        assert.equal("rejected", over(samples("Lines", "a", exact), samples("Lines", "b", noise)).verdict)
    end)

    it("ignores rows that could not detect an error, and has the smallest detectable error of its rows", function()
        local function zero(list)
            for _, sample in ipairs(list) do
                sample.expected = { min = 0, value = 0, max = 0 }
            end
            return list
        end
        local function nothing() return 0 end
        local function wide(list)
            for _, sample in ipairs(list) do
                sample.expected.min = 0
            end
            return list
        end
        local found = over(samples("Lines", "a", exact), zero(samples("Lines", "b", nothing)), wide(samples("Lines", "c", exact)))
        assert.equal("validated", found.verdict)
        assert.near(1.01, found.resolution.factor_up, 1e-12)
        assert.near(0.99, found.resolution.factor_down, 1e-12)
        assert.near(10, found.resolution.offset, 1e-9) -- 1 % of the smallest size, or of its work
        assert.equal("GBytes", found.resolution.offset_unit)
        local half = over(samples("Lines", "a", exact), wide(samples("Lines", "c", function(x) return x / 2 end)))
        assert.same({ 0, 3 }, { half.error_pct.min, half.n })
        assert.equal("untested", over(zero(samples("Lines", "b", nothing))).verdict)
        assert.equal("unresolved", over(wide(samples("Lines", "c", exact))).verdict)
        assert.equal("rejected", over(wide(samples("Lines", "c", exact)), samples("Lines", "b", noise)).verdict)
    end)

    it("is correctable if one set of constants serves every code", function()
        local found = over(samples("Lines", "a", twice), samples("Lines", "b", twice))
        assert.equal("correctable", found.verdict)
        assert.near(2, found.correction.factor, 1e-9)
        assert.near(100, found.error_pct.max, 1e-9)
        assert.near(0, found.correction.error_pct.max, 1e-9)
    end)

    it("is not correctable if each code needs constants of its own", function()
        local found = over(samples("Lines", "a", twice), samples("Lines", "b", thrice))
        assert.equal("rejected", found.verdict)
        assert.is_nil(found.correction)
        assert.matches("constants of its own", found.reason)
        assert.equal("rejected", over(samples("Lines", "a", twice), samples("Lines", "b", exact)).verdict)
    end)

    it("is qualitative instead, if the records have a threshold", function()
        local one = record { samples("Lines", "a", twice), samples("Lines", "b", exact) }
        for _, metric in ipairs(one.record.metrics) do
            metric.threshold = { value = 7, margin = 3, present_is = "above" }
        end
        local found = combine.combine(one.record.metrics, one.record.samples)
        assert.equal("qualitative", found.verdict)
        assert.equal(7, found.threshold.value)
        one.record.metrics[2].threshold = { value = 7, present_is = "below" }
        assert.equal("rejected", combine.combine(one.record.metrics, one.record.samples).verdict)
    end)

    it("is unknown if nothing was judged", function()
        assert.is_nil(combine.combine({}, {}))
        assert.is_nil(combine.combine({ { verdict = "skipped", group = "G", metric = "Lines" } }, {}))
    end)
end)

describe("the catalogue", function()
    local good = record { samples("Lines", "a", exact), samples("Other", "a", noise), samples("Both", "a", twice) }

    it("keeps the requested metrics and says why others are left out", function()
        local entry = make({ good }).catalogue.architectures[1].groups[1]
        assert.same({ "Lines", "Both" }, names(entry.metrics))
        assert.same({ "Other" }, names(entry.left_out))
        assert.equal("rejected", entry.left_out[1].verdict)
        assert.same({ "Runtime (RDTSC)" }, names(entry.unjudged))
        assert.equal("correctable", entry.verdict)
        assert.same({ counter = "PMC0:EDGEDETECT", event = "LINES" }, entry.events[2])
        entry = make({ good }, { "validated" }).catalogue.architectures[1].groups[1]
        assert.same({ "Lines" }, names(entry.metrics))
    end)

    it("leaves out metrics that no record judged", function()
        local entry = make({ record { samples("Lines", "a", exact) } }).catalogue.architectures[1].groups[1]
        assert.same({ "Lines" }, names(entry.metrics))
        assert.same({ "Other", "Both" }, names(entry.left_out))
    end)

    it("has no group without usable metrics", function()
        local made = make { record { samples("Lines", "a", noise) } }
        assert.equal(0, #made.files)
        assert.equal(0, #made.catalogue.architectures[1].groups)
    end)

    it("writes group files that can be read, with the evidence, and recognises its own files", function()
        local file = make({ good }).files[1]
        local parsed = group.parse { text = file.text, file = "G.txt" }
        assert.same({ "Runtime (RDTSC)", "Lines", "Both" }, names(parsed.metrics))
        assert.equal("GBytes", parsed.metrics[2].unit)
        assert.equal("PMC0:EDGEDETECT", parsed.events[2].name)
        local facts = { "r.json: virtual node n", "no evidence about silicon", "/ 2\n", "Left out: Other, rejected", "2026%-01%-02" }
        for _, text in ipairs(facts) do
            assert.matches(text, parsed.long)
        end
        assert.is_true(catalogue.is_own { text = file.text })
        assert.is_false(catalogue.is_own { text = file.text .. "\n" })
        assert.is_false(catalogue.is_own { text = (file.text:gsub("PMC1", "PMC2", 1)) })
        assert.is_false(catalogue.is_own { text = GROUP.text })
    end)

    it("refuses a mix of native and virtual records, injected faults, and unknown verdicts", function()
        local native = record({ samples("Lines", "a", exact) }, function(one) one.node.kind = "native" end)
        assert.has_error(function() make { good, native } end,
            "r.json is virtual, r.json is native: these are never mixed; name records of one kind")
        local faulty = record({ samples("Lines", "a", exact) }, function(one) one.faults = { "X add 1" } end)
        assert.has_error(function() make { faulty } end, "r.json: measured with injected faults, which is no evidence; name another record")
        assert.has_error(function() make({ good }, { "good" }) end,
            "--verdict good: unknown; one of validated, correctable, qualitative, unresolved, untested, rejected, missing")
    end)

    it("uses the newest record of each node in a history, and only native records if there are any", function()
        local function entry(file, kind, name, started)
            return { file = file, record = { started = started, node = { kind = kind, name = name, arch = "a" } } }
        end
        local records = { entry("1", "virtual", "v", "2026-01-01"), entry("2", "virtual", "v", "2026-02-01") }
        local function newest()
            return lists.map(catalogue.newest(records), "file")
        end
        records[3] = entry("3", "virtual", "w", "2025")
        assert.same({ "2", "3" }, newest())
        records[4] = entry("4", "native", "x", "2024")
        assert.same({ "4" }, newest())
    end)

    it("as CSV has a row per metric, quoted where needed", function()
        local odd = record({ samples("Lines", "a", exact) }, function(one) one.node.name = 'n,"1"' end)
        local text = catalogue.csv({ catalogue = make({ odd }).catalogue }).text
        local header, row = text:match("^([^\n]+)\n([^\n]+)\n$")
        assert.equal(31, select(2, header:gsub(",", "")) + 1)
        assert.matches('"n,""1"""', row, 1, true)
        assert.equal(31, select(2, row:gsub('"n,""1"""', "n"):gsub(",", "")) + 1)
    end)
end)

describe("a group for nodes whose boxes were found", function()
    local MEM = {
        arch = "testarch",
        file = "groups/testarch/G.txt",
        text = table.concat({ "SHORT Title", "", "EVENTSET", "BOX0C0 READS", "BOX1C0 READS", "BOX2C0 READS", "", "METRICS",
            "Lines [GBytes] 1.0E-09*(BOX0C0+BOX1C0+BOX2C0)*64.0", "Last [GBytes] 1.0E-09*BOX2C0*64.0", "", "LONG", "Text.", "" }, "\n"),
    }

    -- The catalogue of records whose nodes have these boxes; nil: boxes were not counted.
    local function made(...)
        local records = {}
        for number = 1, select("#", ...) do
            local numbers = select(number, ...)
            records[number] = record({ samples("Lines", "a", exact) }, function(one)
                one.node.boxes = numbers and { BOX = numbers }
            end)
        end
        return catalogue.make { records = records, groups = { MEM }, assay = "0.1.0" }
    end

    it("contains these boxes only, and names them", function()
        local one = made { 0, 1 }
        local architecture = one.catalogue.architectures[1]
        assert.same({ BOX = { 0, 1 } }, architecture.boxes)
        assert.equal("1e-09*(BOX0C0+BOX1C0)*64", architecture.groups[1].metrics[1].formula)
        assert.same({}, architecture.groups[1].left_out)
        assert.is_nil(one.files[1].text:find("BOX2", 1, true))
        assert.truthy(one.files[1].text:find("\nMade for nodes with these boxes: BOX 0, 1.\n", 1, true))
        assert.truthy(group.parse { text = one.files[1].text, file = "made" })
    end)

    it("names the settings that verdicts depend on, of a record and of all records, in each export", function()
        local nodes = {}
        local function settings(...)
            for i, turbo in ipairs { ... } do
                nodes[i] = record({ samples("Lines", "a", exact) }, function(one)
                    local node = one.node
                    node.kind, node.turbo, node.governor, node.smt, node.microcode = "native", turbo, "performance", 2, "1"
                    if turbo == "unknown" then
                        node.turbo = nil
                    end
                end)
            end
            return catalogue.make { records = nodes, groups = { MEM }, assay = "0.1.0" }
        end
        local one = settings(false)
        assert.same({ governor = "performance", turbo = false, smt = 2 }, one.catalogue.architectures[1].settings)
        local line = "Verdicts are for nodes with these settings: governor performance; turbo off; hardware threads a core 2."
        assert.truthy(one.files[1].text:find("\n" .. line .. "\n", 1, true))
        assert.truthy(formats.write({ catalogue = one.catalogue, format = "kerncraft" }).text:find("\n# " .. line .. "\n", 1, true))
        for _, other in ipairs { true, "unknown" } do
            assert.same({ governor = "performance", smt = 2 }, settings(false, other).catalogue.architectures[1].settings)
        end
        assert.is_nil(made({ 0 }).catalogue.architectures[1].settings.turbo)
    end)

    it("says that LIKWID's own sums are wrong where sockets lack boxes of others", function()
        local function is_said(lacking)
            local one = record({ samples("Lines", "a", exact) }, function(found) found.node.lacking = lacking end)
            local text = catalogue.make({ records = { one }, groups = { MEM }, assay = "0.1.0" }).files[1].text
            return text:find("LIKWID's own sums are wrong on sockets that lack boxes of others", 1, true) ~= nil
        end
        assert.is_true(is_said { {}, { "BOX1" } })
        assert.is_false(is_said(nil))
    end)

    it("contains boxes that any of the nodes has, and all boxes without a census", function()
        assert.same({ BOX = { 0, 1, 2 } }, made({ 1, 2 }, { 0, 1 }).catalogue.architectures[1].boxes)
        local all = made({ 0 }, nil)
        assert.equal("1.0E-09*(BOX0C0+BOX1C0+BOX2C0)*64.0", all.catalogue.architectures[1].groups[1].metrics[1].formula)
        assert.is_nil(all.files[1].text:find("Made for nodes", 1, true))
    end)
end)
