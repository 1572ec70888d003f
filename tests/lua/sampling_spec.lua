-- sampling_spec.lua - which events and periods are sampled, and the errors of the estimates.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local draw = require "sampling.report.loglog"
local lists = require "input.lists"
local find = require("sampling.judge").find
local plan = require "sampling.plan"
local render = require("sampling.report.text").render

local SAID = {
    ALL = { text = "instructions", terms = { instructions = 1 } },
    A_BOX = { text = "loads", terms = { loads = 1 } },
    ANY = { text = "instructions", terms = { instructions = 1 } },
    ANY_P = { text = "instructions", terms = { instructions = 1 } },
    LOADS = { text = "loads", terms = { loads = 1 } },
    LINES = { text = "lines into L1", terms = { ["data reads in L2"] = 1 } },
}

local function code(unit, number, umask)
    return { unit = unit, code = number, umask = umask, cores = unit ~= "MBOX" }
end

local function ask(more)
    local argument = { events = {}, said = SAID, groups = { G = { events = { { event = "ANY" }, { event = "LINES" } } } }, arch = "x",
        codes = { ANY = code("FIXC", 0, 0), ALL = code("PMC", 0xc1, 0), A_BOX = code("MBOX", 0, 0),
            ANY_P = code("PMC", 0xc0, 0), LOADS = code("PMC", 0xd0, 0x81), LINES = code("PMC", 0x151, 1) },
        list = { { event = "ANY" }, { event = "LOADS" } }, own = true, native = false }
    lists.merge(argument, more)
    return plan.make(argument)
end

local function names(made)
    local list = lists.map(made.events, "event")
    return table.concat(list, " ")
end

describe("what is sampled", function()
    it("is one event per concept, preferably from a group", function()
        assert.equal("ANY LOADS LINES", names(ask()))
        assert.equal("ALL LOADS LINES", names(ask { native = true }))
        assert.equal("LOADS", names(ask { events = { "LOADS" } }))
    end)

    it("has perf's code: umask above the event code, whose upper bits begin at bit 32", function()
        local made = ask { events = { "ANY", "LOADS" } }
        assert.is_nil(made.events[1].perf)
        assert.equal("r81d0:u", made.events[2].perf)
        assert.equal("r100000151:u", ask { native = true }.events[3].perf)
    end)

    it("is an event that the processor has", function()
        assert.error_matches(function() ask { events = { "LOAD" } } end, "^LOAD: no event of x; likwid%-perfctr %-e lists them$")
        assert.error_matches(function() ask { said = {} } end, "^groups/x/pmu.concepts names no event")
    end)

    it("is sampled with each period once, ascending; by default powers of ten and primes", function()
        assert.same({ 97, 100, 997, 1000 }, { table.unpack(plan.periods { 2, 3 }) })
        assert.same({ 3, 5, 7 }, { table.unpack(ask { periods = { 7, 3, 5, 3 } }.periods) })
        assert.equal(3, #ask().runs)
        assert.is_nil(ask { own = false }.runs[1].rounds)
    end)
end)

-- A run of two functions of a program, 600 and 400 of 1000 events in each of some rounds, sampled by numbers of our own.
local function run_of(rounds, samples, more)
    local run = { rounds = rounds, units = 1, lost = 0, unfinished = 0, obstacles = {}, totals = { 1000 * rounds }, functions = {
        { ["function"] = "early", object = "/bin/p", counts = { { 600 * rounds, samples[1] } } },
        { ["function"] = "late", object = "/bin/p", counts = { { 400 * rounds, samples[2] } } },
    } }
    return lists.merge(run, more)
end

local function judge(runs, period, more)
    local argument = { plan = { events = { { event = "ANY", said = "instructions" } }, periods = { period } }, said = SAID, runs = runs }
    lists.merge(argument.plan, more)
    return find(argument)
end

describe("an estimate in all", function()
    it("is exact if less than one period per core is missing", function()
        assert.equal("exact", judge({ run_of(10, { 6, 4 }) }, 1000).events[1].class)
        -- 9 samples of 1000 events stand for at most 9999 of 10 000
        assert.equal("multiplicative", judge({ run_of(10, { 6, 3 }) }, 1000).events[1].class)
        assert.equal("exact", judge({ run_of(10, { 6, 3 }, { units = 2 }) }, 1000).events[1].class)
        assert.equal("exact", judge({ run_of(10, { 6, 3 }, { lost = 1 }) }, 1000).events[1].class)
        assert.equal("multiplicative", judge({ run_of(10, { 7, 4 }) }, 1000).events[1].class)
    end)

    it("is multiplicative if a factor fits all runs, and states the possible factors", function()
        -- 14 to 15 of 10, 149 to 150 of 100
        local one = judge({ run_of(10, { 8, 6 }), run_of(100, { 89, 60 }) }, 1000).events[1]
        assert.equal("multiplicative", one.class)
        assert.is_near(1.49, one.factor.min, 1e-12)
        assert.is_near(1.5, one.factor.max, 1e-12)
    end)

    it("is a bias if a constant per core fits all runs", function()
        -- 20 to 21 more of 10, 20 to 21 of 100: no factor fits both
        local one = judge({ run_of(10, { 18, 12 }, { units = 2 }), run_of(100, { 72, 48 }, { units = 2 }) }, 1000).events[1]
        assert.equal("bias", one.class)
        assert.same({ 10000, 11000 }, { one.offset.min, one.offset.max })
    end)

    it("is random if it is a different multiple in each run, with samples at the right places", function()
        local random = { run_of(1000, { 660, 440 }), run_of(2000, { 600, 400 }), run_of(500, { 300, 200 }) }
        assert.equal("random", judge(random, 1000).events[1].class)
        local other = { run_of(1000, { 100, 1000 }), run_of(2000, { 100, 900 }), run_of(500, { 100, 400 }) }
        assert.equal("other", judge(other, 1000).events[1].class)
    end)

    it("is missing if expected samples are absent", function()
        assert.equal("missing", judge({ run_of(10, { 0, 0 }) }, 1000).events[1].class)
        assert.equal("multiplicative", judge({ run_of(10, { 1, 0 }) }, 1000).events[1].class)
        assert.equal("exact", judge({ run_of(10, { 0, 0 }) }, 20000).events[1].class)
        assert.equal("exact", judge({ run_of(10, { 0, 0 }, { units = 11 }) }, 1000).events[1].class)
    end)

    it("from two runs on silicon may be off by 1 %", function()
        assert.equal("exact", judge({ run_of(10, { 70, 30 }) }, 101, { native = true }).events[1].class)
        assert.equal("multiplicative", judge({ run_of(10, { 70, 30 }) }, 101).events[1].class)
    end)

    it("is absent for an event that cannot be sampled; without any event it is an error", function()
        local absent = run_of(10, { 0, 0 }, { obstacles = { "no core counts it" }, totals = {} })
        assert.error_matches(function() judge({ absent }, 1000) end, "^ANY cannot be sampled: no core counts it;")
    end)

    it("is not compared if the node's counters contradict it", function()
        assert.error_matches(function() judge({ run_of(10, { 6, 3 }, { totals = { 9999 } }) }, 1000) end, "disagree: 10000 and 9999 events")
        assert.equal("exact", judge({ run_of(10, { 6, 4 }, { totals = { 10001 }, unfinished = 1 }) }, 1000).events[1].class)
    end)
end)

describe("an estimate of a function", function()
    it("is misplaced by half of the sum of all differences of shares", function()
        local row = judge({ run_of(10, { 7, 3 }) }, 1000).events[1].rows[1]
        assert.is_near(10, row.misplaced_pct, 1e-9)
        -- two functions with a share of 0.6 and 0.4 of 10 samples: sqrt(2 / pi) sqrt(0.24 / 10) each
        assert.is_near(100 * math.sqrt(2 / math.pi) * math.sqrt(0.024), row.chance_pct, 1e-9)
        assert.is_false(row.beyond)
        assert.same({ ["function"] = "early", error_pct = 100 * (7000 / 6000 - 1) }, row.furthest)
    end)

    it("is beyond chance from one sample plus three standard deviations on", function()
        -- of 1000 samples 600, give or take sqrt(240) = 15.49: 1 + 46.5
        local function beyond(more) return judge({ run_of(1000, { 600 + more, 400 - more }) }, 1000).events[1].rows[1].beyond end
        assert.is_false(beyond(47))
        assert.is_true(beyond(48))
        assert.is_true(beyond(-48))
    end)

    it("has the number of places and the sweep that follow from period and round", function()
        local function row(period) return judge({ run_of(10, { 6, 4 }), run_of(20, { 12, 8 }) }, period).events[1].rows[2] end
        assert.same({ 1, nil }, { row(1000).places, row(1000).sweep })
        assert.same({ 1000, 334 }, { row(997).places, row(997).sweep })
        assert.same({ 10, 10 }, { row(1100).places, row(1100).sweep })
        assert.equal(1000, judge({ run_of(10, { 6, 4 }), run_of(20, { 12, 8 }) }, 1000).events[1].round)
    end)

    it("has no places and sweep if rounds differ", function()
        local runs = { run_of(10, { 6, 4 }), run_of(20, { 12, 8 }, { totals = { 20005 }, unfinished = 1 }) }
        local one = judge(runs, 1000).events[1]
        assert.is_nil(one.round)
        assert.is_nil(one.rows[2].places)
        table.insert(runs, run_of(30, { 18, 12 }, { totals = { 30020 }, unfinished = 1 }))
        runs[2].totals = { 20000 }
        assert.is_nil(judge(runs, 1000).events[1].round)
    end)

    it("is not the furthest off if less than one sample is expected", function()
        local run = run_of(10, { 6, 4 }, { totals = { 10999 } })
        table.insert(run.functions, { ["function"] = "rare", object = "/bin/p", counts = { { 999, 4 } } })
        assert.equal("early", judge({ run }, 1000).events[1].rows[1].furthest["function"])
    end)

    it("is shown next to the count from its code, with the differences", function()
        local none = { instructions = 0, loads = 0, stores = 0, avx_loads = 0, avx_stores = 0, avx_calc = 0, divides = 0, fp_scalar_sp = 0,
            fp_scalar_dp = 0, fp_128_sp = 0, fp_128_dp = 0, fp_256_sp = 0, fp_256_dp = 0, calls = 0, returns = 0, branches = 0,
            conditional = 0 }
        local function part(instructions) return setmetatable({ instructions = instructions }, { __index = none }) end
        local function parts(name, pass)
            return { ["function"] = name, calls = 10, passes = 100, guarded = 30, other = 70,
                parts = { constant = part(10), pass = part(pass), guarded = part(2), other = part(2) } }
        end
        -- 10 * 10 + 100 * 57 + 100 * 2 = 6000; 10 * 10 + 100 * 38 + 200 = 4100, not 4000
        local found = judge({ run_of(10, { 6, 3 }, { parts = { parts("early", 57), parts("late", 38) } }) }, 1000)
        assert.equal(1, found.events[1].closed)
        assert.same({ { ["function"] = "late", code = 4100, counted = 4000 } }, { found.events[1].differing[1] })
        assert.is_true(found.disagrees)
    end)

    it("has no misplaced share if the true counts of functions are unknown", function()
        local run = run_of(10, { 6, 4 })
        for _, one in ipairs(run.functions) do
            one.counts[1][1] = nil
        end
        local row = judge({ run }, 1000).events[1].rows[1]
        assert.is_nil(row.misplaced_pct)
        assert.is_nil(row.furthest)
    end)
end)

describe("samples as text and drawing", function()
    it("are a line for each period", function()
        local found = judge({ run_of(1000, { 700, 300 }), run_of(2000, { 1200, 800 }) }, 1000)
        local text = render({ found = found }).text
        assert.matches("ANY %(instructions%): exact", text)
        assert.matches("2000000 happened in 2000 rounds, 1000 a round", text)
        assert.matches("1000 +1 +never +2000 +%+0 +10!", text)
    end)

    it("have decades as ticks, and 0 below the smallest value", function()
        local svg = draw.svg { title = "t", x = "x", y = "y", lines = { { label = "l", points = { { x = 10, y = 0 }, { x = 1000, y = 1,
            expected = 10, marked = true } } } } }
        assert.matches('<circle class="c1" cx="64.0" cy="254.0" r="2.2"/>', svg, 1, true)
        assert.matches('<circle class="c1" cx="590.0" cy="134.0" r="4"/>', svg, 1, true)
        assert.matches(">1000</text>", svg, 1, true)
    end)
end)
