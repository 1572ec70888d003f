-- laws_spec.lua - laws between counters: their language, the events that they need, when they hold, and which event is to blame.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local formula = require "input.formula"
local judge = require "program.laws.laws"
local law_counts = require "program.read.law_counts"
local laws_file = require "input.laws"
local linear_form = require "input.linear_form"
local lists = require "input.lists"
local plan = require "program.plan.laws"
local report = require "program.report.laws"

local function read(text, more)
    return laws_file.read { files = { { text = text, file = "a.laws" }, more and { text = more, file = "b.laws" } } }
end

local HEAD = "each core\nfrom a manual\n"

-- The message for an invalid file.
local function refused(text)
    local ok, message = pcall(read, text)
    assert.is_false(ok)
    return message
end

describe("a file of laws", function()
    it("is read with scopes, sources, reasons, and the tolerance on native nodes", function()
        local found = read [[
# a comment
each core
from a manual
sum: A = B + C   # two of them
    why b and c are a
limit: 2 * A
    <= lines_L1 * 3 + B
    why a long
        reason
    native within 2 %, something
        else
each box
from another
slices: X:STATE=0x1F + Y >= Z:STATE=0x1F
    why it is so
    native no, nobody knows
]]
        assert.same({ "sum", "limit", "slices" }, { found[1].name, found[2].name, found[3].name })
        assert.same({ "A", "B", "C" }, found[1].events)
        assert.same({ "core", "a manual", "b and c are a", "A = B + C", "=", 4 },
            { found[1].scope, found[1].source, found[1].why, found[1].text, found[1].relation, found[1].line })
        assert.same({ "2 * A <= lines_L1 * 3 + B", "a long reason", 2, "something else", "<=" },
            { found[2].text, found[2].why, found[2].within_pct, found[2].native, found[2].relation })
        assert.is_false(found[2].virtual_only)
        assert.same({ "X:STATE=0x1F", "Y", "Z:STATE=0x1F" }, found[3].events)
        assert.same({ "box", "another", true, "nobody knows", ">=" },
            { found[3].scope, found[3].source, found[3].virtual_only, found[3].native, found[3].relation })
    end)

    it("may replace laws of earlier files, and add laws", function()
        local found = read(HEAD .. "sum: A = B\n why w\nother: A = C\n why w\n", HEAD .. "sum: A <= B\n why mine\nthird: A = D\n why w\n")
        assert.same({ "sum", "other", "third" }, { found[1].name, found[2].name, found[3].name })
        assert.same({ "mine", "b.laws", "<=" }, { found[1].why, found[1].file, found[1].relation })
    end)

    it("is refused with file and line", function()
        assert.equal("a.laws:3: law 'sum' has no =, <= or >=", refused(HEAD .. "sum: A + B\n why w\n"))
        assert.equal("a.laws:3: law 'sum' has no reason: a line 'why ..' says why it must hold", refused(HEAD .. "sum: A = B\n"))
        assert.equal("a.laws:5: law 'sum' is given twice, first at line 3", refused(HEAD .. "sum: A = B\n why w\nsum: A = C\n why w\n"))
        assert.equal("a.laws:1: law 'sum' stands before any 'each core', 'each box', 'each domain', 'each socket' or 'whole node'",
            refused "sum: A = B\n why w\n")
        assert.equal("a.laws:2: law 'sum' stands before any 'from ..': who says so", refused "each core\nsum: A = B\n why w\n")
        assert.equal("a.laws:3: 'lines_L9' is no constant of laws, and events begin with a capital letter",
            refused(HEAD .. "sum: A = lines_L9\n why w\n"))
        assert.equal("a.laws:3: law 'sum': events are multiplied with each other; a law is a sum of events with factors",
            refused(HEAD .. "sum: A * B = C\n why w\n"))
        assert.equal("a.laws:3: law 'sum': something is divided by events or by 0; a law is a sum of events with factors",
            refused(HEAD .. "sum: A = 1 / B\n why w\n"))
        assert.equal("a.laws:3: law 'sum': something is divided by events or by 0; a law is a sum of events with factors",
            refused(HEAD .. "sum: A = B / 0\n why w\n"))
        assert.equal("a.laws:3: law 'sum' has no event", refused(HEAD .. "sum: lines_L1 = 3\n why w\n"))
        assert.equal("a.laws:3: formula 'A +': a number, a name or '(' is expected at character 4",
            refused(HEAD .. "sum: A + = B\n why w\n"))
        assert.equal("a.laws:3: ' why w' is indented, but stands behind no law", refused(HEAD .. " why w\n"):gsub("'why w'", "' why w'"))
        assert.equal("a.laws:4: behind a law stands 'why', 'native', or an operator that goes on with it, not 'because w'",
            refused(HEAD .. "sum: A = B\n because w\n"))
        assert.equal("a.laws:5: it is 'native no, WHY' or 'native within P %, WHY', not 'native maybe'",
            refused(HEAD .. "sum: A = B\n why w\n native maybe\n"))
        assert.equal("a.laws:1: a line is 'NAME: SUM = SUM', 'each core', 'from TEXT' or indented, not 'each thread'",
            refused "each thread\n")
    end)
end)

describe("a formula as a sum", function()
    local function of(text, constants)
        return linear_form.of(formula.parse(text), constants or {})
    end

    it("has a factor for each event, and the rest", function()
        assert.same({ terms = { A = 4, B = -1 }, base = -6 }, of("2 * (A - 3) + A / 0.5 - B"))
        assert.same({ terms = { A = -1, B = 1 }, base = 0 }, of "-A + B")
        assert.same({ terms = { A = 128 }, base = 0 }, of("line_bytes * 2 * A", { line_bytes = 64 }))
    end)

    it("does not exist without the value of a constant", function()
        local found, why = of("A + seconds")
        assert.is_nil(found)
        assert.equal("seconds has no value", why)
    end)
end)

describe("the counts for laws", function()
    local list = { { event = "A", counters = "PMC" }, { event = "B", counters = "PMC" } }

    it("are of their events, in one run; what the node does not support is left out with the reason", function()
        local some = read(HEAD .. "one: A = B:STATE=0x1\n why w\ntwo: A = C\n why w\nthree: A = B\n why w\n native no, prefetchers\n")
        local virtual = plan.wants { laws = some, list = list, node = { kind = "virtual" } }
        assert.same({ { name = "one", events = { { event = "A", options = "" }, { event = "B", options = "STATE=0x1" } } },
            { name = "three", events = { { event = "A", options = "" }, { event = "B", options = "" } } } }, virtual.wants)
        assert.same({ { name = "two", reason = "C: LIKWID knows no such event here" } }, virtual.left_out)
        local native = plan.wants { laws = some, list = list, node = { kind = "native" } }
        assert.same({ "one" }, { native.laws[1].name, native.laws[2] and native.laws[2].name })
        assert.equal("it holds on the virtual node only: prefetchers", native.left_out[2].reason)
    end)

    it("are read from the results, run by run and box by box", function()
        local planned = {
            jobs = { { id = "program", runs = {
                { name = "R1", events = { "E1", "E2" }, places = { E1 = { "PMC0" }, E2 = { "MBOX0C1", "MBOX1C1" } } },
            } } },
            events = {
                { name = "E1", event = "A", options = "", scope = "core" },
                { name = "E2", event = "M", options = "", scope = "socket" },
            },
        }
        local rows = {
            { cpu = 0, seconds = 0, metrics = { ["Runtime (RDTSC) [s]"] = "0.0004" }, counts = { PMC0 = 7, MBOX0C1 = 3, MBOX1C1 = 4 } },
            { cpu = 1, seconds = 2, calls = 3, counts = {}, absent = { PMC0 = "dash" } },
        }
        rows[3] = { cpu = 2, seconds = 2, counts = { MBOX0C1 = 3, MBOX1C1 = 2.0 ^ 47 } }
        local found = law_counts.read { plan = planned, reps = 1, machine = fixture.machine(),
            results = { ["program/R1/1"] = { ranks = { { [""] = rows } } } } }
        assert.same({ A = { [""] = 7 }, M = { MBOX0 = 3, MBOX1 = 4 } }, found[1].counts)
        assert.near(0.00045, found[1].seconds, 1e-12) -- the longest time that LIKWID prints as 0.0004
        assert.equal(2, found[2].seconds)
        assert.same({ A = "dash" }, found[2].absent)
        assert.same({ M = {} }, found[2].counts)
        assert.same({ A = "not programmed", M = "wrapped" }, found[3].absent)
    end)
end)

-- Entries of one run: { [event] = count or { [box] = count } } for each CPU.
local function entries_of(run, ...)
    local list = {}
    for number, own in ipairs { ... } do
        local entry = { run = run, rep = 1, region = "", cpu = number - 1, seconds = 1, counts = {}, absent = {} }
        for event, count in pairs(own) do
            entry.counts[event] = type(count) == "table" and count or { [""] = count }
        end
        list[number] = entry
    end
    return list
end

local function both(...)
    local list = {}
    for _, some in ipairs { ... } do
        table.move(some, 1, #some, #list + 1, list)
    end
    return list
end

local function check(text, entries, node)
    return judge.check { laws = read(text), entries = entries, witness = "I", node = node or fixture.node(), machine = fixture.machine() }
end

local function texts(found)
    return lists.map(found.blame, "text")
end

local SUM = HEAD .. "sum: A = B + C\n why w\n"

describe("a law", function()
    it("holds exactly if its events are counted in one run", function()
        local found = check(SUM, entries_of("R", { A = 100, B = 60, C = 40 }))
        assert.same({ "holds", 1, 0 }, { found.laws[1].status, found.laws[1].rows, found.laws[1].broken })
        assert.equal("broken", check(SUM, entries_of("R", { A = 101, B = 60, C = 40 })).laws[1].status)
        assert.equal("broken", check(SUM, entries_of("R", { A = 99, B = 60, C = 40 })).laws[1].status)
    end)

    it("is one-sided with <= and >=", function()
        local least, most = HEAD .. "l: A <= B\n why w\n", HEAD .. "m: A >= B\n why w\n"
        assert.equal("holds", check(least, entries_of("R", { A = 5, B = 6 })).laws[1].status)
        assert.equal("broken", check(least, entries_of("R", { A = 7, B = 6 })).laws[1].status)
        assert.equal("broken", check(most, entries_of("R", { A = 5, B = 6 })).laws[1].status)
        assert.equal("holds", check(most, entries_of("R", { A = 7, B = 6 })).laws[1].status)
    end)

    it("is checked on each core, box or socket, or on the whole node", function()
        local apart = entries_of("R", { A = 5, B = 6 }, { A = 6, B = 5 })
        assert.same({ 2, 1 }, { check(HEAD .. "l: A = B\n why w\n", apart).laws[1].rows,
            check("each socket\nfrom m\nl: A = B\n why w\n", apart).laws[1].rows })
        assert.equal("holds", check("whole node\nfrom m\nl: A = B\n why w\n", apart).laws[1].status)
        local boxes = entries_of("R", { A = { MBOX0 = 1, MBOX1 = 2 }, B = { MBOX0 = 2, MBOX1 = 1 } }, { A = {}, B = {} })
        local found = check("each box\nfrom m\nl: A = B\n why w\n", boxes)
        assert.same({ "broken", 2, "MBOX0" }, { found.laws[1].status, found.laws[1].broken, found.laws[1].worst.place })
        assert.equal("holds", check("each socket\nfrom m\nl: A = B\n why w\n", boxes).laws[1].status)
    end)

    it("has the node's sizes, the time and the threads as constants", function()
        local function holds(text, count)
            return check(HEAD .. "l: " .. text .. "\n why w\n", entries_of("R", { A = count })).laws[1].status
        end
        assert.equal("holds", holds("A <= lines_L1 + lines_L2 + lines_L3", 512 + 4096 + 81920))
        assert.equal("broken", holds("A <= lines_L1 + lines_L2 + lines_L3", 512 + 4096 + 81920 + 1))
        assert.equal("holds", holds("A = line_bytes * threads * seconds", 64))
        assert.equal("holds", holds("A = clock_hz + walk_latency", 2300000030))
        assert.equal("holds", check("each socket\nfrom m\nl: A = threads\n why w\n", entries_of("R", { A = 2 }, { A = 0 })).laws[1].status)
    end)

    it("has the spread of runs and of the witness as its interval if its events are counted in several runs", function()
        local function law(witness, a, b, ...)
            local entries = both(entries_of("R", { A = a, I = 1000 }), entries_of("S", { B = b, I = witness }))
            for number, again in ipairs { ... } do
                local more = both(entries_of("R", { A = again, I = 1000 }), entries_of("S", { B = b, I = witness }))
                more[1].rep, more[2].rep = number + 1, number + 1
                entries = both(entries, more)
            end
            return check(HEAD .. "l: A = B\n why w\n", entries).laws[1]
        end
        assert.equal("holds", law(1000, 100, 100).status)
        assert.equal("broken", law(1000, 100, 101).status)
        local once = law(1010, 100, 101)
        assert.same({ "unmeasured", "A: counted once, in runs that differ; --reps 3 says by how much" }, { once.status, once.reason })
        assert.equal("holds", law(1010, 100, 101, 100).status)
        assert.equal("broken", law(1010, 100, 103, 100).status)
        assert.equal("holds", law(1000, 100, 103, 102).status) -- 99 to 103
        assert.equal("broken", law(1000, 100, 104, 102).status)
    end)

    it("has this interval for boxes, too, from the spread of their socket's threads", function()
        local function runs_of(of_first, of_second, a, b)
            return both(entries_of("R", { A = { MBOX0 = a }, I = 1000 }, { A = {}, I = 1000 }),
                entries_of("S", { B = { MBOX0 = b }, I = of_first }, { B = {}, I = of_second }))
        end
        local function judged(entries)
            return check("each box\nfrom m\nl: A = B\n why w\n", entries).laws[1]
        end
        local function law(of_first, of_second, b)
            return judged(runs_of(of_first, of_second, 100, b))
        end
        local function twice(of_first, of_second, b)
            local again = runs_of(of_first, of_second, 10000, b)
            for _, entry in ipairs(again) do
                entry.rep = 2
            end
            return judged(both(runs_of(of_first, of_second, 10000, b), again))
        end
        assert.equal("holds", law(1000, 1000, 100).status)
        assert.equal("broken", law(1000, 1000, 101).status)
        assert.equal("unmeasured", law(1000, 1001, 101).status)
        assert.equal("unmeasured", law(999, 1001, 101).status)
        -- 10 of 2010 instructions, of either side: 99.9
        assert.same({ "holds", "broken" }, { twice(1010, 1000, 10099).status, twice(1010, 1000, 10101).status })
        assert.same({ "holds", "broken" }, { twice(1000, 1010, 10099).status, twice(1000, 1010, 10101).status })
    end)

    it("allows runs of a region to differ by LIKWID's own instructions", function()
        local function status(of_second, b)
            local entries = both(entries_of("R", { A = 1000000, I = 10000000 }), entries_of("S", { B = b, I = of_second }))
            for _, entry in ipairs(entries) do
                entry.region, entry.calls = "r", 2
            end
            return check(HEAD .. "l: A = B\n why w\n", entries).laws[1].status
        end
        assert.same({ "holds", "broken" }, { status(10000000, 1000200), status(10000000, 1000201) })
        -- both sides may be off by 0.2 %, as the instructions are, and by 200 for reading: 1.002 * 1.002 * A + 200
        assert.same({ "holds", "broken" }, { status(10020000, 1004190), status(10020000, 1004220) })
        assert.equal("unmeasured", status(10020001, 1000000))
    end)

    it("is checked only in the run that has all of its events", function()
        local found = check(HEAD .. "l: A = B\n why w\n", both(entries_of("R", { A = 5, B = 5 }), entries_of("S", { A = 9 })))
        assert.same({ "holds", 1 }, { found.laws[1].status, found.laws[1].rows })
    end)

    it("has its own tolerance on native nodes, and is exact on virtual ones", function()
        local native = setmetatable({ kind = "native" }, { __index = fixture.node() })
        local text, entries = HEAD .. "l: A = B\n why w\n native within 2 %, x\n", entries_of("R", { A = 100, B = 102 })
        assert.equal("broken", check(text, entries).laws[1].status)
        assert.equal("holds", check(text, entries, native).laws[1].status)
        assert.equal("broken", check(text, entries_of("R", { A = 100, B = 103 }), native).laws[1].status)
    end)

    it("allows in regions for the cost of reading counters, and has no time there", function()
        local function status(text, a)
            local entries = entries_of("R", { A = a, B = 1000 })
            entries[1].region, entries[1].calls = "r", 2
            return check(text .. "l: A = B\n why w\n", entries).laws[1].status
        end
        assert.same({ "holds", "broken" }, { status("each socket\nfrom m\n", 1200), status("each socket\nfrom m\n", 1201) })
        assert.same({ "holds", "broken" }, { status("whole node\nfrom m\n", 800), status("whole node\nfrom m\n", 799) })
        assert.same({ "holds", "broken" }, { status(HEAD, 1200), status(HEAD, 1201) })
        local entries = entries_of("R", { A = 5 })
        entries[1].region = "r"
        local found = check(HEAD .. "l: A <= 9 * seconds\n why w\n", entries)
        assert.same({ "unmeasured", "seconds has no value" }, { found.laws[1].status, found.laws[1].reason })
    end)

    it("is checked in a region on the threads that enter it; between units only if there is one", function()
        local entries = entries_of("R", { A = 5, B = 5 }, { A = 6, B = 6 })
        entries[2].region = "r"
        local socket = "each socket\nfrom m\nl: A = B\n why w\n"
        assert.same({ "holds", 2 }, { check(socket, entries).laws[1].status, check(socket, entries).laws[1].rows })
        entries[1].region = "r"
        assert.same({ "holds", 2 }, { check(HEAD .. "l: A = B\n why w\n", entries).laws[1].status,
            check(HEAD .. "l: A = B\n why w\n", entries).laws[1].rows })
        local law = check(socket, entries).laws[1]
        assert.same({ "unmeasured", "threads enter and leave a region at different times; --whole checks all of the program" },
            { law.status, law.reason })
    end)

    it("is not checked between units if several processes are measured separately", function()
        local entries = entries_of("R", { A = 5, B = 5 }, { A = 6, B = 6 })
        entries[1].rank, entries[2].rank = 1, 2
        local law = check("each socket\nfrom m\nl: A = B\n why w\n", entries).laws[1]
        assert.same({ "unmeasured", "each process is measured by itself, and they begin and end at different times" },
            { law.status, law.reason })
        assert.equal("holds", check(HEAD .. "l: A = B\n why w\n", entries).laws[1].status)
    end)

    it("is unmeasured without counts, with the reason", function()
        local entries = entries_of("R", { A = 5 })
        entries[1].absent.B = "dash"
        local found = check(HEAD .. "l: A = B\n why w\n", entries)
        assert.same({ "unmeasured", "B: dash" }, { found.laws[1].status, found.laws[1].reason })
        local native = setmetatable({ kind = "native" }, { __index = fixture.node() })
        found = check(HEAD .. "l: A = clock_hz\n why w\n", entries, native)
        assert.same({ "unmeasured", "clock_hz has no value" }, { found.laws[1].status, found.laws[1].reason })
    end)

    it("states for each event the smallest change that would have broken it", function()
        local found = check(HEAD .. "l: A <= B\n why w\nm: C = D\n why w\n", entries_of("R", { A = 80, B = 100, C = 50, D = 50 }))
        assert.near(20, found.laws[1].sees_pct, 1e-6)
        assert.near(2, found.laws[2].sees_pct, 1e-6)
        local by = lists.index(found.events, "event")
        assert.near(25, by.A.up_pct, 1e-6)
        assert.is_nil(by.A.down_pct)
        assert.near(20, by.B.down_pct, 1e-6)
        assert.is_nil(by.B.up_pct)
        assert.same({ 0, 0 }, { by.C.up_pct, by.C.down_pct })
    end)
end)

describe("blame", function()
    it("names every event of one law", function()
        assert.same({ "A counts 1.050 (1.049 .. 1.051) times, or B counts 0.923 (0.922 .. 0.925) times, "
            .. "or C counts 0.889 (0.887 .. 0.891) times: 1 law is broken" },
            texts(check(SUM, entries_of("R", { A = 1050, B = 600, C = 400 }))))
    end)

    it("names the one event that explains several laws", function()
        local text = SUM .. "also: A = D\n why w\nthird: A <= E\n why w\n"
        local found = check(text, entries_of("R", { A = 1050, B = 600, C = 400, D = 1000, E = 1001 }))
        assert.equal(1, #found.blame)
        assert.same({ "also", "sum", "third" }, found.blame[1].laws)
        assert.equal("A", found.blame[1].causes[1][1].event)
        assert.is_nil(found.blame[1].causes[2])
    end)

    it("leaves out an event that would break another law", function()
        local found = check(SUM .. "also: B = D\n why w\n", entries_of("R", { A = 1000, B = 600, C = 420, D = 600 }))
        local named = lists.map(found.blame[1].causes, function(cause) return cause[1].event end)
        assert.same({ "A", "C" }, named)
    end)

    it("prefers one factor in all places, and blames an event without a factor only as a last resort", function()
        local text = HEAD .. "l: A = B\n why w\nm: A = C\n why w\n"
        local found = check(text, entries_of("R", { A = 110, B = 100, C = 100 }, { A = 130, B = 100, C = 100 }))
        assert.same({ "A counts wrong, by no constant: 2 laws are broken" }, texts(found))
        found = check(text, entries_of("R", { A = 1100, B = 1000, C = 1000 }, { A = 2200, B = 2000, C = 2000 }))
        assert.equal("event", found.blame[1].causes[1][1].kind)
        assert.near(1.1, found.blame[1].causes[1][1].factor, 0.001)
    end)

    it("does not name events with unconstrained counts if one factor of another event explains all", function()
        local found = check(SUM, entries_of("R", { A = 1100, B = 900, C = 100 }, { A = 2200, B = 1000, C = 1000 }))
        assert.same({ 1, "A", "event" }, { #found.blame[1].causes, found.blame[1].causes[1][1].event, found.blame[1].causes[1][1].kind })
    end)

    it("reports an event that counts nothing", function()
        local found = check(HEAD .. "l: A = B\n why w\nm: A = C\n why w\n", entries_of("R", { A = 0, B = 100, C = 100 }))
        assert.same({ "A counts nothing: 2 laws are broken" }, texts(found))
    end)

    it("does not call an event silent if it counts somewhere", function()
        local found = check(HEAD .. "l: A = B\n why w\nm: A = C\n why w\n",
            entries_of("R", { A = 110, B = 100, C = 100 }, { A = 0, B = 0, C = 0 }))
        assert.same({ "event", "A" }, { found.blame[1].causes[1][1].kind, found.blame[1].causes[1][1].event })
        found = check(HEAD .. "l: A = B\n why w\n", entries_of("R", { A = 0, B = 100 }))
        assert.same({ "silent", "event" }, { found.blame[1].causes[1][1].kind, found.blame[1].causes[2][1].kind })
    end)

    it("prints each set once", function()
        local text = HEAD .. "a: A = B\n why w\nb: A = C\n why w\nd: C = D\n why w\nc: B = D\n why w\n"
        local found = check(text, entries_of("R", { A = 100, B = 130, C = 100, D = 110 }))
        assert.same({ 1, "B", "D" }, { #found.blame[1].causes, found.blame[1].causes[1][1].event, found.blame[1].causes[1][2].event })
    end)

    it("finds two events if one is not enough, and treats laws without common events separately", function()
        local text = HEAD .. "a: A = B\n why w\nb: B = C\n why w\nc: C = D\n why w\nd: A = D\n why w\ne: E = F\n why w\n"
        local found = check(text, entries_of("R", { A = 100, B = 150, C = 100, D = 180, E = 5, F = 6 }))
        assert.equal(2, #found.blame)
        assert.same({ 1, "B", "D" }, { #found.blame[1].causes, found.blame[1].causes[1][1].event, found.blame[1].causes[1][2].event })
        assert.same({ "e" }, found.blame[2].laws)
    end)

    it("does not distinguish options of one event", function()
        local found = check(HEAD .. "l: A:S=1 = B\n why w\nm: A:S=2 = C\n why w\n", entries_of("R", { ["A:S=1"] = 110, ["A:S=2"] = 220,
            B = 100, C = 200 }))
        assert.equal("A", found.blame[1].causes[1][1].event)
        assert.equal(1, #found.blame)
    end)

    it("is empty if all laws hold", function()
        assert.same({}, check(SUM, entries_of("R", { A = 100, B = 60, C = 40 })).blame)
    end)
end)

describe("the text", function()
    it("names the broken laws, by how much, the reason, and the event to blame", function()
        local record = check(SUM, entries_of("R", { A = 1050, B = 600, C = 400 }))
        record.runs, record.left_out = { {}, {} }, {}
        local text = report.render { record = record, width = 100 }.text
        assert.truthy(text:find("sum         1050   1000  4.76 %  core 0", 1, true))
        assert.truthy(text:find("    A = B + C\n    because w (a.laws:3)\n", 1, true))
        assert.truthy(text:find("\n1 laws on 2 runs: 0 hold, 1 broken\n", 1, true))
    end)

    it("lists undetectable changes with --all", function()
        local record = check(HEAD .. "l: A <= B\n why w\nm: C = Z\n why w\n", entries_of("R", { A = 80, B = 100, C = 0, Z = 0 }))
        record.runs, record.left_out = { {} }, { { name = "n", reason = "r" } }
        local text = report.render { record = record, width = 100, all = true }.text
        assert.truthy(text:find("5 % more would not be noticed of: A, B\n", 1, true))
        assert.truthy(text:find("nothing is counted here of: C, Z\n", 1, true))
        assert.truthy(text:find("left out: r", 1, true))
    end)
end)

-- An architecture's laws use events of the virtual node with valid LIKWID names; each has a reason and a source.
local LEAST = { haswellEP = 40, broadwellEP = 40, skylakeX = 20, CLX = 20, zen2 = 20, zen3 = 20, haswell = 40, broadwell = 40,
    skylake = 20 }

for arch, least in pairs(LEAST) do
    describe("the laws of " .. arch, function()
        local path = ("groups/%s/pmu.laws"):format(arch)
        local found = laws_file.read { files = { { text = fixture.text(path), file = path } } }

        it("are at least as many as required, and use modelled events", function()
            assert.is_true(#found >= least)
            local events = fixture.text(("groups/%s/pmu.events"):format(arch))
            for _, law in ipairs(found) do
                for _, name in ipairs(law.events) do
                    local event = plan.parts(name)
                    local is_there = events:find("\nevent %S+ %S+ %S+ " .. event .. "%s")
                        or events:find("\nresponse [^\n]* " .. event .. "%s")
                    assert(is_there or event:find "^L3_CACHE_REQ", ("%s:%d: %s is not modelled"):format(path, law.line, event))
                end
            end
        end)
    end)
end
