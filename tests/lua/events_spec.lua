-- events_spec.lua - what an event is found to count, from synthetic counts: every class, and words and lists that cannot be read.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture" -- where the modules in C are
local concepts = require "input.concepts"
local event_counters = require "plan.event_counters"
local event_list = require "input.event_list"
local event_set = require "events.plan.event_set"
local events = require "events.judge.events"
local pack = require "plan.pack"
local render = require("events.report.events").render
local rows = require "events.judge.rows"
local vectors = require "events.judge.vectors"
local synthetic = require "synthetic"

local WORDS = [[
instructions: all of them
nothing: what never happens
apples: one kind
pears: another
plums: of which nobody has any
fruit = apples + pears: both
half = 0.5 apples + 2 pears: weighted
]]

local known = concepts.read { text = WORDS, file = "words.txt" }

describe("a processor without a machine file", function()
    it("has the counters of LIKWID's list", function()
        local machine = event_list.machine { arch = "new", text = [[
This architecture has 9 counters.
Counter tags(name, type<, options>):
FIXC0, Fixed counters
FIXC2, Fixed counters
PMC0, Core-local general purpose counters, EDGEDETECT|THRESHOLD
PMC1, Core-local general purpose counters, EDGEDETECT|THRESHOLD
MBOX0C1, Memory Controller 0 Channel 0
MBOX3C0, Memory Controller 0 Channel 3
MBOX0FIX, Memory Controller 0 Channel 0 fixed counter
CPMC0, Caching Agent box 0, TID|CID|SLICE
UBOXFIX, Uncore clock

This architecture has 2 events.
Event tags (tag, id, umask, counters<, options>):
PMC7, 0x1, 0x2, PMC
]] }
        assert.same({ { name = "FIXC", count = 3, fixed = true }, { name = "PMC", count = 2 }, { name = "MBOX", count = 2, boxes = 4 },
            { name = "CPMC", count = 1 } }, machine.counters)
        assert.same({ "MBOX0C0", "MBOX1C0", "MBOX2C0", "MBOX3C0" }, (event_counters.find("MBOX", machine, {})))
    end)

    it("is measured with probes that do not use it; the other probes are skipped with the reason", function()
        for path in io.popen "ls probes/*.lua":lines() do
            local text = fixture.text(path)
            local reads = text:find("at.machine", 1, true) or text:find("capacity(", 1, true)
            assert.equal(reads ~= nil, text:find "\n    needs_machine = true," ~= nil, path)
        end
    end)
end)

describe("words of events", function()
    it("are concepts and sums of them", function()
        local by_name = {}
        for _, one in ipairs(known) do
            by_name[one.name] = one.terms
        end
        assert.same({ apples = 1 }, by_name.apples)
        assert.same({ apples = 1, pears = 1 }, by_name.fruit)
        assert.same({ apples = 0.5, pears = 2 }, by_name.half)
        local said = concepts.events { text = "# said\nA = apples\nB = 2 fruit + pears\n", file = "pmu.concepts", concepts = known }
        assert.same({ apples = 2, pears = 3 }, said.B.terms)
        assert.equal("2 fruit + pears", said.B.text)
    end)

    it("are refused with file and line", function()
        local function refused(of, text, what)
            local ok, message = pcall(of, { text = text, file = "w.txt", concepts = known })
            assert.is_false(ok)
            assert.truthy(message:find(what, 1, true), message)
        end
        refused(concepts.read, "\napples\n", "w.txt:2: a line is 'NAME: what it is'")
        refused(concepts.read, "a: one\na: two\n", "w.txt:2: concept 'a' is given twice")
        refused(concepts.read, "a: one\nb = a + c: two\n", "w.txt:2: 'c' is no concept")
        refused(concepts.events, "A apples\n", "w.txt:1: a line is 'EVENT = concept")
        refused(concepts.events, "A = apples\nA = pears\n", "w.txt:2: event A is given twice")
        refused(concepts.events, "A = cherries\n", "w.txt:1: 'cherries' is no concept")
    end)

    it("in the suite's files are all concepts", function()
        local own = concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }
        assert.is_true(#own > 50)
        for _, path in ipairs(fixture.group_files "groups/*/pmu.concepts") do
            local said = concepts.events { text = fixture.text(path), file = path, concepts = own }
            assert.is_true(next(said) ~= nil, path)
        end
    end)

    -- Events may be documented to count what no node does (512-bit arithmetic).
    local function possible(wanted)
        return wanted.nothing == nil and wanted["512-bit SP"] == nil and wanted["512-bit DP"] == nil and wanted or {}
    end

    it("agree with what the virtual node counts", function()
        local truth = dofile "tests/events/truth.lua"
        local own = concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }
        for _, path in ipairs(fixture.group_files "groups/*/pmu.concepts") do
            local said = concepts.events { text = fixture.text(path), file = path, concepts = own }
            local counted, compared = truth.read(fixture.text(path:gsub("pmu.concepts$", "pmu.events")), own), 0
            for event, terms in pairs(counted) do
                if said[event] then
                    assert.same(possible(said[event].terms), terms, ("%s: %s"):format(path, event))
                    compared = compared + 1
                end
            end
            assert.is_true(compared > 40, ("%s: %d"):format(path, compared))
        end
    end)

    it("are read from LIKWID's list of events, which follows that of counters", function()
        local text = "This architecture has 2 counters.\nNOT_YET, 0xC0, 0x1, PMC\n\n"
            .. "This architecture has 2 events.\nEvent tags (tag, id, umask, counters<, options>):\n"
            .. "ONE, 0xC0, 0x1, PMC\nTWO, 0xD, 0x3, PMC1|PMC2, THRESHOLD=0x1\n"
        assert.same({ { event = "ONE", counters = "PMC" }, { event = "TWO", counters = "PMC1|PMC2" } },
            { table.unpack(event_list.read { text = text }) })
        assert.has_error(function() event_list.read { text = "ERROR" } end)
    end)

    it("have no value on a virtual node whose table lacks the code of a core event", function()
        local text = "This architecture has 4 events.\nONE, 0xC0, 0x1, PMC\nTWO, 0xD, 0x3, PMC1|PMC2\nBY, 0xB7, 0x1, PMC\n"
            .. "FAR, 0x4, 0x1, CBOX\n"
        local modelled = "event PMC 0xc0 0x00 ALL = CORE_INSTRUCTIONS\nresponse 0xb7 0x01 0x1a6 BY\nevent CBOX 0xd 0x03 OTHER = 0\n"
        local lacks = {}
        for _, one in ipairs(event_list.read { text = text, modelled = modelled }) do
            lacks[#lacks + 1] = one.lacks and one.event or nil
        end
        assert.same({ "TWO" }, lacks)
    end)
end)

describe("the set of events", function()
    local function chosen(more)
        local argument = { groups = fixture.groups(), machine = fixture.machine(), node = fixture.node(), events = {},
            list = { { event = "PAUSES", counters = "PMC" }, { event = "ONE_ONLY", counters = "PMC2|PMC3" },
                { event = "ALL_BOXES", counters = "MBOX" }, { event = "NO_BOX", counters = "QBOX" },
                { event = "CAS_COUNT_RD", counters = "MBOX" } } }
        for key, value in pairs(more) do
            argument[key] = value
        end
        local found, only = event_set.choose(argument)
        local by_name = {}
        for _, one in ipairs(found) do
            by_name[one.event] = by_name[one.event] or one
        end
        return by_name, found, only
    end

    it("is that of the groups: each event with its options once, on all its boxes", function()
        local by_name, found = chosen {}
        assert.same({ "MBOX0C0", "MBOX1C0", "MBOX2C0", "MBOX3C0" }, { table.unpack(by_name.CAS_COUNT_RD.counters, 1, 4) })
        local keys = {}
        for _, one in ipairs(found) do
            local key = one.event .. one.options
            assert.is_nil(keys[key], key)
            keys[key] = true
        end
        assert.is_true(keys["OFFCORE_RESPONSE_0_OPTIONSMATCH0=0x0001:MATCH1=0x60040"])
        assert.is_nil(by_name.PAUSES)
        local _, all = chosen { all = true, list = { { event = "OFFCORE_RESPONSE_0_OPTIONS", counters = "PMC" } } }
        assert.equal(#found, #all) -- an event with open options is left out if no options are listed for it
    end)

    it("is LIKWID's whole list, each event on counters that can count it", function()
        local by_name, _, only = chosen { all = true }
        assert.same({ "PMC0" }, { table.unpack(by_name.PAUSES.counters) })
        assert.same({ "PMC2" }, { table.unpack(by_name.ONE_ONLY.counters) })
        assert.same({ 2, 3 }, { table.unpack(only.ONE_ONLY.PMC) })
        assert.equal(8, #by_name.ALL_BOXES.counters)
        assert.equal(0, #by_name.NO_BOX.counters)
        local bound = event_counters.bound(fixture.machine(), only)
        local runs = pack.runs { machine = bound, groups = { { name = "A", metrics = {}, events = { { name = "PMC2", counter = "PMC2",
            event = "ONE_ONLY", options = "" } } }, { name = "B", metrics = {}, events = { { name = "PMC2", counter = "PMC2",
            event = "PAUSES", options = "" } } } } }
        assert.same({ A = { PMC2 = "PMC2" }, B = { PMC2 = "PMC0" } }, runs[1].counters)
    end)

    it("is the named events, if they exist", function()
        local _, found = chosen { events = { "ONE_ONLY", "CAS_COUNT_RD" } }
        assert.equal(2, #found)
        assert.has_error(function() chosen { events = { "NONE" } } end, "NONE: no event of haswellEP; likwid-perfctr -e lists them")
    end)
end)

local TIMES = { 100, 200, 300 }
local MADE = { -- counts per pass of each row
    { title = "orchard", instructions = 1000, apples = 300, pears = 0 },
    { title = "garden", instructions = 800, apples = 0, pears = 200 },
    { title = "market", instructions = 1500, apples = 400, pears = 150 },
    { title = "desert", instructions = 500, apples = 0, pears = 0 },
}

-- The finding for one event that was measured in all rows of MADE. A region with `times` passes of a row counted count(row, times); with
-- `absent` no region has a count, for that reason. said = the event's documented formula |nil. market = { [concept] = false (unknown) or
-- function(times) -> interval }: replaces expected counts of the row `market`. counter = the event's counter |nil: PMC0; with it, a
-- second core works in the row `market`.
local function examined(count, said, absent, market, counter)
    local on = counter or "PMC0"
    local plan = { rows = {}, jobs = { { id = "probes", runs = { { name = "RUN", counters = { E1 = { [on] = "PMC2" } } } } } },
        events = { { event = "EVENT", options = "", counters = { on }, name = "E1" } } }
    local regions = {}
    for number, made in ipairs(MADE) do
        local row = { title = made.title, regions = {}, has_mate = counter and made.title == "market" or nil }
        for i, times in ipairs(TIMES) do
            local counts = {}
            for _, name in ipairs { "instructions", "apples", "pears" } do
                counts[name] = { min = made[name] * times, value = made[name] * times, max = made[name] * times }
            end
            for name, of in pairs(made.title == "market" and market or {}) do
                counts[name] = of and of(times)
            end
            local region = ("%s.%d"):format(made.title, i)
            row.regions[i] = { region = region, times = times, counts = counts }
            regions[region] = { { counts = { PMC2 = not absent and count(made, times) or nil }, absent = { PMC2 = absent } } }
        end
        plan.rows[number] = row
    end
    return events.find { plan = plan, reps = 1, concepts = known, results = { ["probes/RUN/1"] = { regions = regions } },
        said = said and concepts.events { text = "EVENT = " .. said, file = "pmu.concepts", concepts = known } or {} }[1]
end

local function apples(made, times)
    return 40 + made.apples * times
end

describe("an event", function()
    it("counts one concept, a sum with a name, or a sum without one", function()
        local found = examined(apples)
        assert.same({ "concept", "apples", "exact" }, { found.kind, found.counts, found.class })
        found = examined(function(made, times) return (made.apples + made.pears) * times end)
        assert.same({ "concept", "fruit", "exact" }, { found.kind, found.counts, found.class })
        found = examined(function(made, times) return (made.apples + 3 * made.pears) * times end)
        assert.same({ "sum", "apples + 3 pears", "exact" }, { found.kind, found.counts, found.class })
        found = examined(function(made, times) return (made.apples + 1.5 * made.pears) * times end)
        assert.same({ "sum", "apples + 1.5 pears", "exact" }, { found.kind, found.counts, found.class })
        found = examined(function(made, times) return 1.37 * made.pears * times end)
        assert.same({ "scaled", "1.37 times pears" }, { found.kind, found.counts })
        assert.near(1.37, found.factor or 0, 1e-6)
    end)

    it("counts a sum although a row with an unknown part cannot confirm it", function()
        local function count(made, times) return (2 * made.apples + made.pears) * times end
        local found = examined(count, nil, nil, { plums = false })
        assert.same({ "sum", "2 apples + pears" }, { found.kind, found.counts })
    end)

    it("gets the integer factor that is nearest to the minimum of a row's interval", function()
        local function count(made, times)
            return (2 * made.apples + made.pears + (made.title == "market" and 800 or 0)) * times
        end
        local function some(times) return { min = 395 * times, value = 420 * times, max = 445 * times } end
        local found = examined(count, nil, nil, { plums = some }) -- the factor 2 gives 400, a little below the expected 420
        assert.same({ "sum", "2 apples + pears + 2 plums" }, { found.kind, found.counts })
    end)

    it("is not called random because of a row with unknown counts", function()
        local function count(made, times) return made.title == "market" and (times == 100 and 1e3 or 9e5) or made.apples * times end
        assert.equal("exact", examined(count, "apples", nil, { apples = false }).class)
        assert.equal("random", examined(count, "apples").class)
    end)

    it("is not compared with one core's counts if its boxes also see another core", function()
        local function count(made, times) return (made.apples + (made.title == "market" and 777 or 0)) * times end
        assert.equal("exact", examined(count, "apples", nil, nil, "MBOX0C0").class)
        assert.equal("unknown", examined(count, "apples", nil, nil, "PMC1").class)
    end)

    it("gets no extra terms to explain a row with an unknown part", function()
        local function count(made, times) return (2 * made.apples + made.pears) * times end
        local function some(times) return { min = 50 * times, value = 50 * times, max = 50 * times } end
        local found = examined(count, nil, nil, { pears = false, plums = some })
        assert.same({ "sum", "2 apples + pears" }, { found.kind, found.counts })
    end)

    it("is not identified as a concept that no row has", function()
        local found = examined(function(made, times) return made.title == "market" and 600 * times or 0 end, nil, nil, { plums = false })
        assert.equal("unknown", found.kind)
    end)

    it("may count anything in a row's known interval", function()
        local function of_market(share)
            return examined(function(made, times) return (made.title == "market" and share * 400 or made.apples) * times end, "apples", nil,
                { apples = function(times) return { min = 360 * times, value = 400 * times, max = 440 * times } end }).class
        end
        assert.equal("exact", of_market(1.05))
        assert.equal("exact", of_market(0.95))
        assert.equal("unknown", of_market(1.6))
    end)

    it("counts nothing, or something unknown", function()
        local found = examined(function() return 12 end)
        assert.same({ "nothing", "untested" }, { found.kind, found.class })
        found = examined(function(made, times) return (made.apples == 0 and made.pears == 0 and 77 or 0) * times end)
        assert.same({ "unknown", "unknown" }, { found.kind, found.class })
    end)

    it("is compared with its documentation, and described by what it was found to count", function()
        assert.equal("exact", examined(apples, "apples").class)
        local found = examined(function(made, times) return 1.2 * made.apples * times end, "apples")
        assert.equal("multiplicative", found.class)
        assert.near(1.2, found.factor, 1e-6)
        found = examined(function(made, times) return 9000 + made.apples * times end, "apples")
        assert.same({ "bias", 9000 }, { found.class, math.floor(found.offset + 0.5) })
        -- the largest region counts 12 million: 20 000 more are a bias, fewer may be the cost of measuring
        local function offset(more, of_row)
            return examined(function(made, times)
                return (of_row[made.title] or more) + 100 * made.apples * times
            end, "apples").offset
        end
        assert.same({ nil, 21000, 21000, nil }, { offset(19000, {}), offset(21000, {}), offset(21000, { market = 0 }),
            offset(21000, { market = 0, desert = 30000 }) })
        assert.equal("missing", examined(function() return 7 end, "apples").class)
        found = examined(apples, "pears")
        assert.same({ "other", "apples" }, { found.class, found.counts })
        local random = synthetic.random(3)
        assert.equal("random", examined(function(made, times) return random.between(0.8, 1.2) * made.apples * times end, "apples").class)
        assert.equal("unknown", examined(function(made, times) return made.instructions % 7 * 33 * times end, "apples").class)
        assert.equal("untested", examined(apples, "plums").class)
        assert.equal("exact", examined(function() return 3 end, "nothing").class)
        assert.equal("other", examined(apples, "nothing").class)
    end)

    it("without a value is absent, with the reason", function()
        local found = examined(apples, "apples", "not modelled")
        assert.same({ "absent", "not modelled" }, { found.class, found.reason })
    end)

    it("differs from its documentation if it counts a little more than 1 % too few", function()
        local function less(share) return function(made, times) return (1 - share) * made.apples * times end end
        assert.equal("exact", examined(less(0.009), "apples").class)
        assert.equal("multiplicative", examined(less(0.013), "apples").class)
    end)
end)

describe("errors of rows", function()
    it("are in % of the nearer end of the known interval, if that is ten times a row's possible error", function()
        assert.near(10, rows.off(44, { min = 20, max = 40 }, 1), 1e-12)
        assert.near(-5, rows.off(19, { min = 20, max = 40 }, 1), 1e-12)
        assert.equal(0, rows.off(30, { min = 20, max = 40 }, 1))
        assert.is_nil(rows.off(19, { min = 20, max = 40 }, 2))
    end)

    it("are compared by size", function()
        assert.same({ -3, -3, 3, 3 }, { rows.worse(2, -3), rows.worse(-3, 2), rows.worse(3, nil), rows.worse(nil, 3) })
    end)
end)

describe("a table of vectors", function()
    -- The tables for events { name, documented formula, slope in the first row, slope in the second }. Events with slopes are exact, others
    -- unknown.
    local function made(events_said, wanted)
        local findings, lines = {}, {}
        for _, one in ipairs(events_said) do
            lines[#lines + 1] = ("%s = %s"):format(one[1], one[2])
            findings[#findings + 1] = { event = one[1], options = "", names = {}, class = one[3] and "exact" or "unknown",
                slopes = one[3] and { one[3], one[4] }, r2 = { 1, one.r2 or 1 }, counts = one[2] }
        end
        local said = concepts.events { text = table.concat(lines, "\n"), file = "pmu.concepts", concepts = known }
        local two = {}
        for i, title in ipairs { "first", "second" } do
            local counts = {}
            for times = 1, 2 do
                counts[times] = {}
                for name, each in pairs { apples = 3, pears = i, plums = 0 } do
                    counts[times][name] = { min = each * times, value = each * times, max = each * times }
                end
            end
            two[i] = { title = title, regions = { { times = 1, counts = counts[1] }, { times = 2, counts = counts[2] } } }
        end
        local found = vectors.find { plan = { rows = two, vectors = { { title = "Fruit", per = "basket", concepts = wanted, short = wanted,
            first = 1, last = 2 } } }, findings = findings, concepts = known, said = said }
        return found, findings
    end

    it("uses the event that counts a column, else the fewest events whose sum or difference it is", function()
        local found = made({ { "ALL", "fruit", 5, 7 }, { "PEARS", "pears", 2, 3 }, { "TWICE", "2 apples", 6, 8 } },
            { "apples", "pears", "plums" })
        assert.same({ "ALL - PEARS", "PEARS" }, { found[1].columns[1].of, found[1].columns[2].of })
        assert.is_nil(found[1].columns[3].of)
        assert.same({ 3, 2, false }, { table.unpack(found[1].rows[1].values) })
        assert.same({ 4, 3, false }, { table.unpack(found[1].rows[2].values) })
    end)

    it("uses exact events only, and is left out if there are none", function()
        assert.equal(0, #made({ { "PEARS", "pears" } }, { "pears" }))
        local found = made({ { "ALL", "fruit", 5, 7 }, { "PEARS", "pears" } }, { "fruit", "apples" })
        assert.is_nil(found[1].columns[2].of)
    end)

    it("sorts events by goodness, from their counts alone", function()
        local found = made({ { "A", "fruit", 3, 3 }, { "B", "fruit", 1.05, 2 }, { "C", "fruit", 3.5, 4.5 },
            { "D", "pears", 3, 3.06, r2 = 0.98 }, { "E", "plums", 0, 0 }, { "F", "apples" } }, { "apples", "pears", "plums" })
        local sorted = {}
        for _, one in ipairs(found[1].sorted) do
            sorted[one.event] = { one.column, one.goodness }
        end
        assert.same({ 1, 1 }, sorted.A)
        assert.equal(2, sorted.B[1])
        assert.near((math.exp(-2 * 0.05 ^ 2) + 1) / 2, sorted.B[2], 1e-12)
        assert.is_nil(sorted.C)
        assert.near((1 + math.exp(-2 * (3.06 * 0.98 - 3) ^ 2)) / 2, sorted.D[2], 1e-12)
        assert.same({ 3, 1 }, sorted.E)
        assert.is_nil(sorted.F)
    end)

    it("is printed with three decimals and its events", function()
        local found, findings = made({ { "PEARS", "pears", 1.9996, -0.0001 }, { "NEAR", "plums", 2.9, 3 } }, { "pears", "apples" })
        local text = render({ found = { events = findings, vectors = found, cycles = {} } }).text
        local head = "  each basket  pears  apples\n  first            2       -\n  second           0       -\n"
        assert.truthy(text:find("\nFruit\n" .. head, 1, true), text)
        local columns = "  pears: PEARS\n  apples: no event, and no sum of them, counts it here\n     by goodness: NEAR (0.990)\n"
        assert.truthy(text:find(columns, 1, true), text)
    end)
end)
