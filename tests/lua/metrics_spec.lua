-- Values of an analysis' metrics from raw counts, and combinations of several analyses; all values by hand.
local algebra = require "program.judge.algebra"
local analysis = require "program.report.analysis"
local compare = require "program.report.compare"
local lists = require "input.lists"
local metrics = require "program.judge.metrics"

-- A = B + C, C := E2 - E3, B = E1; one region of two threads
local function metrics_of()
    return {
        { name = "A", kind = "composed", unit = "x", text = "B + C", where = "f:1" },
        { name = "B", parent = 0, kind = "measured", unit = "x", text = "E1", where = "f:2" },
        { name = "C", parent = 0, kind = "computed", unit = "x", text = "E2 - E3", where = "f:3" },
    }
end

local function count(event, leaf, ...)
    return { event = event, options = "", region = 0, leaf = leaf, values = { ... } }
end

local function derive(list, counts, regions)
    local found = {}
    local values = metrics.derive { metrics = list, regions = regions or { "" }, system = { {}, {} }, counts = counts }
    for _, one in ipairs(values) do
        local key = ("%s%d"):format(list[one.metric + 1].name, one.leaf)
        found[key] = (one.partial and "~" or "") .. ("%g"):format(one.value) .. (one.spread_pct and ("+%g"):format(one.spread_pct) or "")
    end
    return found
end

describe("values", function()
    it("are means of counts, sums of children, and expressions", function()
        assert.same({ A0 = "7", B0 = "5", C0 = "2" }, derive(metrics_of(), { count("E1", 0, 5), count("E2", 0, 6), count("E3", 0, 4) }))
    end)

    it("are partial if a child has no value, and absent if an expression lacks something", function()
        assert.same({ A0 = "~5", B0 = "5" }, derive(metrics_of(), { count("E1", 0, 5), count("E2", 0, 6) }))
        assert.same({ A0 = "~2", C0 = "2" }, derive(metrics_of(), { count("E2", 0, 6), count("E3", 0, 4) }))
        assert.same({}, derive(metrics_of(), { count("E2", 0, 6) }))
    end)

    it("are partial if a part cannot be counted", function()
        local list = metrics_of()
        list[1].lacks = { "D" }
        assert.equal("~7", derive(list, { count("E1", 0, 5), count("E2", 0, 6), count("E3", 0, 4) }).A0)
    end)

    it("of threads are separate, and 0 is a value", function()
        assert.same({ B0 = "5", B1 = "0", A0 = "~5", A1 = "~0" }, derive(metrics_of(), { count("E1", 0, 5), count("E1", 1, 0) }))
    end)

    -- E1 8 and 12: 10, 4 apart; E2 10 and 12 less E3 1: 10, 2 apart; the sum 20, 6 apart
    it("give the spread of counts of several runs", function()
        local found = derive(metrics_of(), { count("E1", 0, 8, 12), count("E2", 0, 10, 12), count("E3", 0, 1) })
        assert.same({ A0 = "20+30", B0 = "10+40", C0 = "10+20" }, found)
    end)

    -- 10 / 4 with a divisor of 2 or 6 is 5 or 1.67
    it("give the spread of quotients, but none for what was counted once", function()
        local list = { { name = "Q", kind = "computed", unit = "", text = "E1 / E2", where = "f:1" } }
        assert.same({ Q0 = "2.5+133.333" }, derive(list, { count("E1", 0, 10), count("E2", 0, 2, 6) }))
        assert.same({ Q0 = "2.5" }, derive(list, { count("E1", 0, 10), count("E2", 0, 4) }))
    end)

    it("of an expression do not exist if it uses a partial value", function()
        local list = metrics_of()
        list[4] = { name = "D", kind = "computed", unit = "", text = "A / 2", where = "f:4" }
        assert.equal("3.5", derive(list, { count("E1", 0, 5), count("E2", 0, 6), count("E3", 0, 4) }).D0)
        assert.is_nil(derive(list, { count("E1", 0, 5) }).D0)
    end)

    it("do not exist if an expression divides by 0", function()
        local list = { { name = "Q", kind = "computed", unit = "", text = "E1 / E2", where = "f:1" } }
        assert.same({}, derive(list, { count("E1", 0, 5), count("E2", 0, 0) }))
        assert.same({ Q0 = "2.5" }, derive(list, { count("E1", 0, 5), count("E2", 0, 2) }))
    end)

    it("distinguish an event with different options", function()
        local list = { { name = "R", kind = "measured", unit = "", text = "E:M=0x1", where = "f:1" } }
        local other = { event = "E", options = "M=0x2", region = 0, leaf = 0, values = { 3 } }
        local this = { event = "E", options = "M=0x1", region = 0, leaf = 0, values = { 4 } }
        assert.same({ R0 = "4" }, derive(list, { other, this }))
    end)

    it("of events in no hierarchy have their own entries", function()
        local all = metrics.with_others { metrics = metrics_of(), counts = { count("E1", 0, 1), count("E3", 0, 1), count("E9", 0, 1),
            count("E9", 1, 1) } }
        assert.same({ 4, "E9", "" }, { #all, all[4].name, all[4].where })
    end)
end)

local function record(counts, more)
    local one = { node = { kind = "virtual", arch = "testArch", name = "n" }, command = { "prog" }, seconds = 1, hierarchy = { "f" },
        system = { { process = 0, thread = 0, core = 0, host = "n" }, { process = 0, thread = 1, core = 1, host = "n" } },
        regions = { "" }, metrics = metrics_of(), counts = counts, runs = { { events = {}, seconds = 1, rep = 1 } }, witness = {},
        messages = {}, failures = {}, faults = {} }
    lists.merge(one, more)
    one.values = metrics.derive(one)
    return one
end

local function combine(name, ...)
    local files = {}
    for i in ipairs { ... } do
        files[i] = ("r%d"):format(i)
    end
    return algebra.combine { name = name, records = { ... }, files = files }
end

local function values_of(made)
    local found = {}
    for _, one in ipairs(made.values) do
        local region = made.regions[one.region + 1]
        found[region .. made.metrics[one.metric + 1].name .. one.leaf] = (one.partial and "~" or "") .. ("%g"):format(one.value)
    end
    return found
end

describe("analyses together", function()
    it("complete each other's partial values", function()
        local made = combine("merge", record { count("E1", 0, 5), count("E2", 0, 6) }, record { count("E3", 0, 4) })
        assert.same({ A0 = "7", B0 = "5", C0 = "2" }, values_of(made))
        assert.same({ "merge", "r1", "r2", 2 }, { made.operation.name, made.operation.of[1], made.operation.of[2], made.seconds })
    end)

    -- merged, 2 3 and 7 are 4; of means 2.5 and 7 the mean is 4.75
    it("average counts that several of them have, over runs or over records", function()
        local a, b = record { count("E1", 0, 2, 3) }, record { count("E1", 0, 7) }
        assert.equal("~4", values_of(combine("merge", a, b)).A0)
        assert.equal("~4.75", values_of(combine("mean", a, b)).A0)
        assert.same({ 2.5, 7 }, { table.unpack(combine("mean", a, b).counts[1].values) })
    end)

    it("use the mean of the others if one lacks an event", function()
        assert.equal("5", values_of(combine("mean", record { count("E1", 0, 5) }, record { count("E2", 0, 6) })).B0)
    end)

    it("are subtracted only where both have a value", function()
        local made = combine("subtract", record { count("E1", 0, 5, 7), count("E2", 0, 9), count("E3", 0, 1) },
            record { count("E1", 0, 10), count("E3", 0, 1) })
        assert.same({ A0 = "~-4", B0 = "-4" }, values_of(made))
    end)

    it("match regions and threads by their names", function()
        local a = record({ { event = "E1", options = "", region = 1, leaf = 0, values = { 5 } } }, { regions = { "p", "q" } })
        local b = record({ { event = "E1", options = "", region = 0, leaf = 1, values = { 7 } } }, { regions = { "q" },
            system = { { process = 0, thread = 1, core = 1, host = "n" }, { process = 0, thread = 0, core = 0, host = "n" } } })
        assert.same({ qB0 = "6", qA0 = "~6" }, values_of(combine("merge", a, b)))
    end)

    it("lack only what all of them lack", function()
        local a, b = record { count("E1", 0, 5) }, record { count("E2", 0, 6), count("E3", 0, 4) }
        a.metrics = { a.metrics[1], a.metrics[2] }
        a.metrics[1].lacks = { "C" }
        local made = combine("merge", a, b)
        assert.is_nil(made.metrics[1].lacks)
        assert.equal("7", values_of(made).A0)
    end)

    -- A = (B = E1) + (C := E2 - E3), each record with one part of it
    it("complete a sum whose parts are in different records", function()
        local a, b = record { count("E1", 0, 5) }, record { count("E2", 0, 6), count("E3", 0, 4) }
        a.metrics[1].lacks, a.metrics[3] = { "C" }, { name = "D", kind = "measured", unit = "", text = "E4", where = "" }
        b.metrics[1].lacks = { "B" }
        table.remove(b.metrics, 2)
        a.values, b.values = metrics.derive(a), metrics.derive(b)
        assert.same({ A0 = "~5", B0 = "5" }, values_of(a))
        assert.same({ A0 = "~2", C0 = "2" }, values_of(b))
        local made = combine("merge", a, b)
        assert.same({ A0 = "7", B0 = "5", C0 = "2" }, values_of(made))
        local order = lists.map(made.metrics, function(metric) return metric.name .. tostring(metric.parent) end)
        assert.same({ "Anil", "B0", "C0", "Dnil" }, order) -- as a tree: children behind their parents
    end)

    it("say whether the program behaved the same in all of them", function()
        local function with(value)
            return record({ count("E1", 0, 1) }, { witness = { { event = "I", region = 0, leaf = 0, values = { value }, steady = true } } })
        end
        assert.is_true(combine("merge", with(1e6), with(1.005e6)).witness[1].steady)
        assert.is_false(combine("merge", with(1e6), with(1.02e6)).witness[1].steady)
        assert.same({}, combine("subtract", with(1e6), with(1e6)).witness)
        assert.same({ 4e6 }, combine("mean", with(nil), with(4e6)).witness[1].values) -- of a record without a value nothing is taken
    end)

    it("are refused if kinds, architectures or definitions differ", function()
        local a, native = record { count("E1", 0, 1) }, record { count("E1", 0, 1) }
        native.node = { kind = "native", arch = "testArch", name = "m" }
        assert.has_error(function() combine("merge", a, native) end,
            "r1 is of virtual, r2 of native: these are not combined; assay compare shows architectures side by side")
        local other = record { count("E1", 0, 1) }
        other.metrics[2].text = "E7"
        assert.has_error(function() combine("merge", a, other) end, "B is E1 in r1 and E7 in r2; analyse both with the same hierarchy")
        assert.has_error(function() compare.render { records = { a, native }, files = { "r1", "r2" } } end,
            "r1 is of a virtual node, r2 of a native one, which never share a table")
    end)
end)

describe("the tree of an analysis", function()
    local function lines_of(text)
        local lines = {}
        for line in text:gmatch "[^\n]+" do
            lines[#lines + 1] = line
        end
        return lines
    end

    it("has values, shares of the root, and a mark where it is partial", function()
        local one = record { count("E1", 0, 2, 4), count("E1", 1, 1), count("E2", 0, 6), count("E3", 0, 4) }
        local lines = lines_of(analysis.render({ record = one }).text)
        assert.equal("prog: 1 run on the virtual node n (no evidence about silicon)", lines[1])
        assert.matches("^A %[x%]%s+~6%s+100%.0 %%", lines[2])
        assert.matches("^  B%s+4%s+66%.7 %%%s+spread 67 %%$", lines[3])
        assert.matches("^  C%s+2%s+33%.3 %%$", lines[4])
    end)

    it("has a column for each thread if asked for", function()
        local one = record { count("E1", 0, 5), count("E1", 1, 2) }
        local lines = lines_of(analysis.render({ record = one, threads = true }).text)
        assert.matches("^%s+0%.0%s+0%.1$", lines[2])
        assert.matches("^  B%s+5%s+100%.0 %%%s+2%s+100%.0 %%$", lines[4])
    end)

    it("writes numbers with four digits", function()
        assert.same({ "0", "7", "9999", "12.35 k", "1.235 M", "-1.5 G", "0.3333" }, { analysis.number(0), analysis.number(7),
            analysis.number(9999), analysis.number(12345), analysis.number(1234567), analysis.number(-1.5e9), analysis.number(1 / 3) })
    end)

    it("refuses a region that does not exist", function()
        assert.has_error(function() analysis.render { record = record({}, { regions = { "p", "q" } }), region = "r" } end,
            "--region r: no such region; there are: p, q")
    end)

    it("can be shown next to another one, with absent values not shown as 0", function()
        local a, b = record { count("E1", 0, 5), count("E2", 0, 6), count("E3", 0, 6) }, record { count("E1", 0, 4) }
        b.metrics = { b.metrics[1], b.metrics[2] }
        b.values = metrics.derive(b)
        local lines = lines_of(compare.render({ records = { a, b }, files = { "r1", "r2" } }).text)
        assert.matches("^  C%s+0%s+0%.0 %%%s+%-$", lines[#lines])
        assert.matches("^  B%s+5%s+100%.0 %%%s+4%s+100%.0 %%$", lines[#lines - 1])
    end)
end)
