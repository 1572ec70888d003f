-- group_spec.lua - LIKWID's group files, ours and broken ones; packing into runs.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local group = require "input.group"
local pack = require "plan.pack"

local GOOD = "SHORT A\n\nEVENTSET\nPMC0 LOADS\nCBOX0C1:STATE=0x1 LOOKUP\n\nMETRICS\nShare of x [%] PMC0/CBOX0C1:STATE=0x1\n"
    .. "Plain PMC0\n\nLONG\nText\n"

describe("group.parse", function()
    it("reads events, options, metrics and units", function()
        local parsed = group.parse { text = GOOD, file = "x/A.txt" }
        assert.equal("A", parsed.name)
        assert.same({ name = "CBOX0C1:STATE=0x1", counter = "CBOX0C1", event = "LOOKUP", options = "STATE=0x1" }, parsed.events[2])
        assert.same({ name = "Share of x", unit = "%", formula = "PMC0/CBOX0C1:STATE=0x1" }, parsed.metrics[1])
        assert.same({ name = "Plain", formula = "PMC0" }, parsed.metrics[2])
    end)

    for _, case in ipairs {
        { "PMC0 LOADS", "PMC0", "A.txt:4: an event line is 'COUNTER EVENT', not 'PMC0'" },
        { "PMC0 LOADS", "PMC0 LOADS\nPMC0 STORES", "A.txt:5: counter PMC0 is used twice" },
        { "PMC0 LOADS", "\nPMC0 LOADS",
            "A.txt:5: 'PMC0 LOADS' is outside of any section: LIKWID ignores it (a blank line ends a section)" },
        { "PMC0/CBOX", "PMC1/CBOX", "A.txt:8: metric 'Share of x [%]' uses PMC1, which EVENTSET does not program" },
        { "Plain PMC0", "Plain", "A.txt:9: a metric line is 'NAME [UNIT] FORMULA', not 'Plain'" },
        { "Plain PMC0", "Plain (PMC0", "A.txt:9: formula '(PMC0': a ')' is missing at character 6" },
        { "Plain PMC0", "Plain " .. ("PMC0+"):rep(210) .. "PMC0", "A.txt:9: LIKWID reads lines of at most 1022 characters" },
        { "Plain PMC0", "Plain 2 * PMC0", "A.txt:9: there is a blank in the formula: LIKWID takes 'PMC0' alone for it" },
        { "Plain PMC0", "Plain (PMC0 +PMC0)", "A.txt:9: there is a blank in the formula: LIKWID takes '+PMC0)' alone for it" },
        { "Plain PMC0", "Plain PMC0\nPlain 2*PMC0", "A.txt:10: metric 'Plain' is there twice" },
        { "SHORT A\n", "", "A.txt:11: the group has no SHORT" },
    } do
        it("refuses: " .. case[3], function()
            local at, to = GOOD:find(case[1], 1, true)
            local text = GOOD:sub(1, at - 1) .. case[2] .. GOOD:sub(to + 1)
            local ok, message = pcall(group.parse, { text = text, file = "A.txt" })
            assert.is_false(ok)
            assert.equal(case[3], message)
        end)
    end
end)

describe("group.parse_each", function()
    it("leaves out invalid metrics with the reason", function()
        local text = GOOD:gsub("Plain PMC0", "Plain PMC7\nOpen [s] (PMC0\nLast PMC0")
        local parsed = group.parse_each { text = text, file = "A.txt" }
        assert.same({ "Share of x", "Last" }, { parsed.metrics[1].name, parsed.metrics[2].name })
        assert.same({ name = "Plain", reason = "A.txt:9: metric 'Plain' uses PMC7, which EVENTSET does not program" }, parsed.broken[1])
        assert.same({ name = "Open", reason = "A.txt:10: formula '(PMC0': a ')' is missing at character 6" }, parsed.broken[2])
    end)

    it("refuses a file that is not a group file", function()
        assert.is_false((pcall(group.parse_each, { text = "METRICS\nA PMC0\n", file = "A.txt" })))
    end)
end)

describe("pack.runs", function()
    local machine = fixture.machine()

    local function make(name, ...)
        local events = {}
        for i, one in ipairs { ... } do
            local full, event = one:match("(%S+) (%S+)")
            local counter, options = full:match("^(%w+):?(.*)$")
            events[i] = { name = full, counter = counter, event = event, options = options }
        end
        return { name = name, events = events, metrics = {} }
    end

    it("puts all four groups into one run and shares fixed counters", function()
        local groups = fixture.groups()
        local runs = pack.runs { machine = machine, groups = { groups.ASSAY_L2, groups.ASSAY_L3, groups.ASSAY_MEM, groups.ASSAY_HA } }
        assert.equal(1, #runs)
        assert.equal(3 + 4 + 16 + 6, #runs[1].events)
        assert.equal("PMC0", runs[1].counters.ASSAY_L2.PMC0)
        assert.equal("PMC2", runs[1].counters.ASSAY_L3.PMC0)
        assert.equal("PMC3", runs[1].counters.ASSAY_L3.PMC1)
        local parsed = group.parse { text = runs[1].text, file = "ASSAY_RUN_1.txt" }
        assert.equal(#runs[1].events, #parsed.events)
    end)

    it("opens a second run for a fifth core event and counts equal events once", function()
        local a, b = make("A", "PMC0 E1", "PMC1 E2", "PMC2 E3"), make("B", "PMC0 E1", "PMC1 E4", "PMC2 E5")
        local runs = pack.runs { machine = machine, groups = { a, b } }
        assert.equal(2, #runs)
        local c = make("C", "PMC3 E1", "PMC0 E4")
        runs = pack.runs { machine = machine, groups = { a, c } }
        assert.equal(1, #runs)
        assert.same({ PMC3 = "PMC0", PMC0 = "PMC3" }, runs[1].counters.C)
    end)

    it("gives opportunistic groups the counters that are left, whole or for some metrics, but never an additional run", function()
        local a, b = make("A", "FIXC0 I", "PMC0 E1", "PMC1 E2", "PMC2 E3"), make("B", "FIXC0 I", "PMC0 E4", "PMC1 E5")
        b.metrics = {
            { name = "both", formula = "PMC0+PMC1" },
            { name = "second", formula = "PMC1" },
            { name = "first", formula = "PMC0" },
        }
        local runs, left_out = pack.runs { machine = machine, groups = { a }, opportunistic = { b } }
        assert.equal(1, #runs)
        assert.same({}, left_out)
        assert.same({ B = { second = true } }, runs[1].shown)
        assert.same({ FIXC0 = "FIXC0", PMC1 = "PMC3" }, runs[1].counters.B)
        assert.is_true(pack.shows(runs[1], "B", "second"))
        assert.is_false(pack.shows(runs[1], "B", "both"))
        local c = make("C", "PMC2 E6")
        c.metrics = {}
        runs = pack.runs { machine = machine, groups = { a }, opportunistic = { c, b } }
        assert.equal("PMC3", runs[1].counters.C.PMC2)
        assert.is_false(pack.shows(runs[1], "B", "second"))
        assert.same({}, pack.runs { machine = machine, groups = {}, opportunistic = { c } })
    end)

    it("puts different filters of one box into different runs", function()
        local a, b = make("A", "CBOX0C0:STATE=0x1 L"), make("B", "CBOX0C1:STATE=0x2 L")
        assert.equal(2, #pack.runs { machine = machine, groups = { a, b } })
        local c = make("C", "CBOX0C1:STATE=0x1 M")
        assert.equal(1, #pack.runs { machine = machine, groups = { a, c } })
    end)

    it("refuses counters that do not exist and groups that cannot fit", function()
        assert.has_error(function() pack.runs { machine = machine, groups = { make("A", "MBOX9C0 R") } } end,
            "haswellEP has no counter MBOX9C0 (event R)")
    end)

    it("splits a group that needs too many counters by its metrics, each whole in one run", function()
        local six = make("A", "FIXC0 I", "PMC0 A", "PMC1 B", "PMC2 C", "PMC3 D", "PMC4 E", "PMC5 F")
        six.metrics = {
            { name = "a to c", formula = "PMC0+PMC1+PMC2" },
            { name = "e per instruction", formula = "PMC4/FIXC0" },
            { name = "a, d and f", formula = "PMC0*(PMC3+PMC5)" },
            { name = "five", formula = "PMC0+PMC1+PMC2+PMC3+PMC4" },
        }
        local runs, left_out = pack.runs { machine = machine, groups = { six } }
        assert.equal(2, #runs)
        assert.same({ A = { ["a to c"] = true, ["e per instruction"] = true } }, runs[1].shown)
        assert.same({ A = { ["a, d and f"] = true } }, runs[2].shown)
        assert.equal("PMC3", runs[1].counters.A.PMC4)
        assert.is_nil(runs[1].counters.A.PMC5)
        assert.equal("FIXC0", runs[2].counters.A.FIXC0)
        assert.same({ { group = "A", metric = "five", reason = "metric 'five' of group A needs more counters than haswellEP has" } },
            left_out)
        assert.is_true(pack.shows(runs[1], "A", "a to c"))
        assert.is_false(pack.shows(runs[2], "A", "a to c"))
        assert.is_false(pack.shows(runs[1], "B", "a to c"))
    end)

    it("assigns events only to counters that can count them", function()
        local narrow = fixture.machine()
        narrow.counters[2].only = { B = { 2 }, C = { 0, 1 } }
        local runs = pack.runs { machine = narrow, groups = { make("A", "PMC0 A", "PMC1 B", "PMC2 C") } }
        assert.same({ PMC0 = "PMC0", PMC1 = "PMC2", PMC2 = "PMC1" }, runs[1].counters.A)
        runs = pack.runs { machine = narrow, groups = { make("A", "PMC2 A"), make("B", "PMC0 B") } }
        assert.equal(2, #runs)
    end)
end)
