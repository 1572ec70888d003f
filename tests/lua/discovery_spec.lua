-- discovery_spec.lua - events that show a quantity, found by synthetic counts: one, sums, differences, and what cannot be found.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local composition = require "events.discovery.composition"
local concepts = require "input.concepts"
local discovery = require "events.discovery.discovery"
local group_file = require "input.group"
local independent = require "events.discovery.independent"
local lists = require "input.lists"
local quantities = require "events.discovery.quantities"
local table_of = require "events.report.discovery"

local WORDS = concepts.read { text = "instructions: all\nnothing: none\napples: one\npears: two\nplums: three\nnuts: four\ncherries: five\n"
    .. "fruit = apples + pears: both\n", file = "words.txt" }

local function said(text)
    return concepts.events { text = text, file = "pmu.concepts", concepts = WORDS }
end

local function group(name, events, metrics)
    local text = ("SHORT %s\n\nEVENTSET\n%s\n\nMETRICS\n%s\n\nLONG\nx\n"):format(name, events, metrics)
    return group_file.parse { text = text, file = name .. ".txt", name = name }
end

describe("independent columns", function()
    it("are chosen until all others are sums of them", function()
        local columns = { { 1, 0, 0, 0 }, { 0, 2, 0, 0 }, { 3, 4, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 1, 1 }, { 2, 0, 2, 2 } }
        local chosen = independent.choose(columns, 0.01)
        assert.equal(3, #chosen)
        local seen = lists.set(chosen)
        assert.is_nil(seen[4])
        assert.equal(3, #independent.choose({ { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 } }, 0.01))
        assert.equal(1, #independent.choose({ { 1, 0, 0 }, { 1, 0.001, 0 } }, 0.01)) -- noise is no count of its own
    end)
end)

describe("a composition", function()
    local function find(columns, wanted)
        local list = lists.map(columns, function(values) return { values = values, cost = values.cost or 1 } end)
        return composition.find(list, wanted, function(chosen, weights)
            for row, value in ipairs(wanted) do
                local sum = 0
                for i, number in ipairs(chosen) do
                    sum = sum + weights[i] * columns[number][row]
                end
                if math.abs(sum - value) > 1 then
                    return false
                end
            end
            return true
        end)
    end

    it("has the fewest columns that show it, with weights that are multiples of a half", function()
        assert.same({ chosen = { 2 }, weights = { 1 } }, (find({ { 100, 0, 7 }, { 5, 300, 40 }, { 5, 0, 0 } }, { 5, 300, 40 })))
        assert.same({ chosen = { 1 }, weights = { 0.5 } }, (find({ { 100, 40, 8 }, { 0, 0, 9 } }, { 50, 20, 4 })))
        assert.same({ chosen = { 1, 3 }, weights = { 1, -1 } }, (find({ { 100, 40, 80 }, { 1, 30, 2 }, { 10, 40, 20 } }, { 90, 0, 60 })))
        local three = find({ { 100, 0, 0, 9 }, { 0, 100, 0, 7 }, { 0, 0, 100, 1 }, { 1, 2, 3, 400 } }, { 100, 200, 100, 24 })
        assert.same({ chosen = { 1, 2, 3 }, weights = { 1, 2, 1 } }, three)
    end)

    it("prefers fewer counters, then weights near 1, and rejects what does not hold", function()
        local one, other = { 100, 40, 80, cost = 4 }, { 100, 40, 80, cost = 1 }
        assert.same({ 2 }, (find({ one, other }, { 100, 40, 80 })).chosen)
        local sum = find({ { 200, 100, 150 }, { 0, 100, 50 }, { 100, 0, 50 } }, { 100, 100, 100 }) -- halves of two, too
        assert.same({ chosen = { 2, 3 }, weights = { 1, 1 } }, sum)
        assert.is_nil((find({ { 100, 40, 80 }, { 5, 6, 7 } }, { 100, 900, 3 })))
        assert.is_nil((find({ { 100, 40, 80 } }, { 33, 13, 26.6 }))) -- a third is no small weight
    end)
end)

describe("the quantity of a metric's name", function()
    local function read(text)
        return concepts.quantities { text = text, file = "names.txt", concepts = WORDS }
    end

    it("is a sum, a quotient, another metric or nothing", function()
        local found = read "A = bytes of apples + 2 pears / plums\nor A = nuts\nA (ODD) -> Apples\nB*: of the weather\n"
        assert.same({ apples = 1, pears = 2 }, found[1].over.terms)
        assert.same({ true, false }, { found[1].over.in_bytes, found[1].under.in_bytes })
        assert.same({ nuts = 1 }, found[1].others[1].over.terms)
        assert.same({ "A", "ODD", "Apples" }, { found[2].name, found[2].group, found[2].of })
        assert.same({ "B*", "of the weather" }, { found[3].name, found[3].why })
    end)

    for text, message in pairs {
        ["A apples"] =
            "names.txt:1: a line is 'METRIC = concept + ..', 'METRIC -> METRIC of Assay's groups' or 'METRIC: why', not 'A apples'",
        ["A = cars"] = "names.txt:1: 'cars' is no concept; probes/concepts.txt has them",
        ["A = nuts\nA = nuts"] = "names.txt:2: metric 'A' is given twice",
        ["or A = nuts"] = "names.txt:1: 'or A' follows what else the metric shows",
    } do
        it("refuses: " .. message, function()
            local ok, why = pcall(read, text)
            assert.same({ false, message }, { ok, why })
        end)
    end

    it("can be read for all of LIKWID's groups", function()
        local own = concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }
        local found = concepts.quantities { text = fixture.text "probes/quantities.txt", file = "probes/quantities.txt", concepts = own }
        assert.is_true(#found > 50)
    end)
end)

describe("quantities of groups", function()
    local function list(groups, words)
        local by_name = lists.index(groups, "name")
        return quantities.list { groups = by_name, machine = fixture.machine(), node = fixture.node(), said = said(words) }
    end

    it("are sums of the events' documented quantities, each once, with the unit's scale", function()
        local found, unknown = list({
            group("A", "FIXC0 ALL\nPMC0 ONE\nPMC1 TWO\nPMC2 THREE", "Time [s] time\nRate [1/s] PMC0/time\nShare PMC0/PMC1\n"
                .. "Volume [GBytes] 1.0E-09*(PMC0+2*PMC1)*64.0\nOnes PMC0\nUnknown PMC2\nConstant PMC0+1"),
            group("B", "PMC0 ONE\nPMC1 BOTH\nPMC2 EMPTY", "Ones again PMC0\nBoth PMC1\nNever PMC2"),
        }, "ONE = apples\nTWO = pears\nBOTH = fruit\nEMPTY = nothing\n")
        local names = lists.map(found, "name")
        assert.same({ "Volume", "Ones", "Both" }, names)
        assert.same({ apples = 1, pears = 2 }, found[1].terms)
        assert.near(64e-9, found[1].scale, 1e-18)
        assert.near(2, found[1].events.TWO, 1e-9)
        assert.same({ apples = 1, pears = 1 }, found[3].terms)
        assert.same({ true, true, true }, { found[1].is_core, found[2].is_core, found[3].is_core })
        assert.equal(1, #unknown)
        assert.equal("nobody says what THREE counts", unknown[1].reason)
    end)

    it("of boxes count all boxes at once, or are left out", function()
        local found, unknown = list({ group("C", "MBOX0C0 READS\nMBOX1C0 READS", "All MBOX0C0+MBOX1C0\nOne MBOX0C0") }, "READS = apples\n")
        assert.same({ "All", 1, false }, { found[1].name, found[1].events.READS, found[1].is_core })
        assert.equal(1, #found)
        assert.equal("it shows some of the boxes of READS only", unknown[1].reason)
    end)
end)

describe("discovery", function()
    -- Rows of probes: the counts of one repetition of each.
    local ROWS = { { apples = 1000 }, { pears = 500 }, { apples = 200, pears = 700 }, { plums = 900 }, { apples = 3000, plums = 1200 },
        { pears = 60, nuts = 800 }, { nuts = 300, plums = 200 }, { apples = 800 }, { pears = 900 } }

    local COUNTERS = { BOXES = "MBOX0C0", ALL = "FIXC0" } -- the others are PMC0

    -- LIKWID's list of these events.
    local function list_of(events)
        local list = {}
        for name in pairs(events) do
            list[#list + 1] = { event = name, counters = (COUNTERS[name] or "PMC0"):match "^%a+" }
        end
        return list
    end

    -- events = { [name] = { [concept] = weight } }: what they truly count.
    local function run(events, words, groups, checked, called)
        local plan = { rows = {}, events = {}, jobs = { { id = "probes", runs = { { name = "R", counters = {} } } } } }
        local regions, names = {}, {}
        for name in pairs(events) do
            names[#names + 1] = name
        end
        table.sort(names)
        for i, name in ipairs(names) do
            plan.events[i] = { event = name, options = "", counters = { COUNTERS[name] or "PMC0" },
                name = "E" .. i }
            plan.jobs[1].runs[1].counters["E" .. i] = { [COUNTERS[name] or "PMC0"] = "PMC" .. i }
        end
        for i, made in ipairs(ROWS) do
            local row = { probe = "p", title = "row " .. i, regions = {} }
            for times = 1, 3 do
                local region, counts, measured = ("r%d.%d"):format(i, times), {}, {}
                for concept, amount in pairs(made) do
                    counts[concept] = { min = amount * times, value = amount * times, max = amount * times }
                end
                counts.instructions = { min = 5000 * times, value = 5000 * times, max = 5000 * times }
                for number, name in ipairs(names) do
                    local sum = 0
                    for concept, weight in pairs(events[name]) do
                        sum = sum + weight * (made[concept] or concept == "instructions" and 5000 or 0) * times
                    end
                    measured["PMC" .. number] = 17 + sum
                end
                row.regions[times] = { region = region, times = times, counts = counts }
                regions[region] = { { cpu = 0, counts = measured } }
            end
            plan.rows[i] = row
        end
        local by_name = lists.index(groups, "name")
        return discovery.find { plan = plan, results = { ["probes/R/1"] = { regions = regions } }, reps = 1, concepts = WORDS,
            said = said(words), machine = fixture.machine(), node = fixture.node(), groups = by_name,
            list = list_of(events), checked = checked,
            names = concepts.quantities { text = called or "", file = "names.txt", concepts = WORDS } }
    end

    local WORDS_SAID = "ONE = apples\nTWO = pears\nTHREE = plums\nFOUR = apples\nRED = cherries\n"
    local GROUPS = { group("G", "PMC0 ONE\nPMC1 TWO\nPMC2 THREE", "Apples PMC0\nFruit [kg] 0.5*(PMC0+PMC1)\nPlums PMC2") }

    it("finds the group's own events if they are right", function()
        local found = run({ ONE = { apples = 1 }, TWO = { pears = 1 }, THREE = { plums = 1 } }, WORDS_SAID, GROUPS)
        assert.equal(3, found.distinct)
        for _, one in ipairs(found.found) do
            assert.equal("same", one.ours)
            assert.equal(one.rows >= 3, one.error_pct ~= nil)
            assert.near(0, one.error_pct or 0, 0.01)
        end
        local file = group_file.parse { text = found.found[2].file, file = "found.txt", name = "FOUND" }
        assert.equal(2, #file.events)
        assert.equal("Fruit", file.metrics[2].name)
        assert.equal("kg", file.metrics[2].unit)
        assert.truthy(file.metrics[2].formula:find("0.5*(PMC", 1, true))
    end)

    it("finds other events if names are exchanged, a difference if no single event counts it, and says what it cannot find", function()
        local truth = { ONE = { plums = 1 }, TWO = { apples = 1, pears = 1 }, THREE = { pears = 1 }, FOUR = { nuts = 3 } }
        local found = run(truth, WORDS_SAID, GROUPS)
        local by_name = lists.index(found.found, "quantity")
        assert.same({ "TWO", "wrong" }, { by_name.Fruit.events[1].event, by_name.Fruit.ours })
        assert.same({ "ONE", "wrong" }, { by_name.Plums.events[1].event, by_name.Plums.ours })
        local apples = by_name.Apples.events
        assert.equal(2, #apples)
        assert.same({ { "THREE", -1 }, { "TWO", 1 } }, { { apples[1].event, apples[1].weight }, { apples[2].event, apples[2].weight } })
        local text = table_of.render(found).text
        assert.truthy(text:find("- THREE + TWO", 1, true), text)
        assert.truthy(text:find("3 of 3 quantities found", 1, true), text)
        local function apples_of(events)
            local one = run(events, WORDS_SAID, GROUPS).found[1]
            return one.ours, one.events and one.events[1].weight
        end
        assert.same({ "wrong", 0.5 }, { apples_of { ONE = { apples = 2 }, TWO = { pears = 1 } } })
        assert.same({ "wrong", -1 }, { apples_of { ONE = { apples = 1, nuts = 1 }, FOUR = { nuts = 1 } } }) -- FOUR comes first
        assert.same({ "wrong" }, { apples_of { ONE = { nuts = 1 }, BOXES = { apples = 1 } } }) -- not what a core counts
        local without = run({ ONE = { nuts = 1 }, TWO = { plums = 2, nuts = 7 } }, WORDS_SAID, GROUPS)
        assert.equal("no sum of up to three events shows it", without.found[1].reason)
    end)

    describe("with groups that are not Assay's", function()
        local TRUTH = { ONE = { apples = 0.8 }, TWO = { pears = 1 }, THREE = { plums = 1 }, FOUR = { apples = 1 }, FIVE = { plums = 1,
            nuts = 2 }, ALL = { instructions = 1 } }

        local function check(metrics, names, events, long)
            local text = ("SHORT x\n\nEVENTSET\n%s\n\nMETRICS\n%s\n\nLONG\n%s\n"):format(events
                or "PMC0 ONE\nPMC1 TWO\nPMC2 FIVE\nPMC3 FOUR\nFIXC0 ALL", metrics, long or "x")
            local own = group_file.parse_each { text = text, file = "OWN.txt" }
            local found = run(TRUTH, WORDS_SAID, GROUPS, { OWN = own }, names)
            return found.checked, found
        end

        it("reports that the old event does not show it, by how much it is off, and which event does", function()
            local checked, found = check("Old apples PMC0", "Old apples -> Apples")
            local one = checked[1]
            assert.same({ "OWN", "Old apples", "Apples", "ONE", "wrong" }, { one.group, one.metric, one.quantity, one.events, one.verdict })
            assert.near(-20, one.error_pct, 0.1)
            assert.equal(1, #found.found)
            assert.same({ "Apples", "FOUR" }, { found.found[1].quantity, found.found[1].events[1].event })
            local text = table_of.render(found).text
            assert.truthy(text:find("OWN    Old apples  Apples       ONE         does not show it  -20 % in row", 1, true), text)
            assert.truthy(text:find("1 metrics: 0 show what they should, 1 do not, 0 cannot be counted, 0 are not judged", 1, true), text)
        end)

        it("searches once for a quantity that several metrics of Assay's groups show, and names the requested one", function()
            local groups = { group("G", "PMC0 ONE", "Apples volume [GBytes] 64E-9*PMC0\nApples PMC0") }
            local own = group_file.parse_each { file = "OWN.txt",
                text = "SHORT x\n\nEVENTSET\nPMC0 ONE\n\nMETRICS\nOld PMC0\nOld data volume [GBytes] 64E-9*PMC0\n"
                    .. "Old bandwidth [GBytes/s] 64E-9*PMC0/time\n\nLONG\nx\n" }
            local found = run(TRUTH, WORDS_SAID, groups, { OWN = own }, "Old -> Apples\nOld data volume -> Apples volume")
            local asked = { "Apples", "Apples volume", "Apples volume per second" }
            for i, one in ipairs(found.checked) do
                assert.same({ asked[i], "wrong" }, { one.quantity, one.verdict })
            end
            assert.equal(3, #found.checked)
            assert.equal(1, #found.found)
        end)

        it("names codes in which it counts although it should not", function()
            local one = check("Plums PMC2")[1]
            assert.same({ "wrong", "row 6", nil }, { one.verdict, one.stray.row, one.reason })
            assert.near(1600, one.stray.count, 1)
            assert.truthy(table_of.render(select(2, check "Plums PMC2")).text:find("1600 in row 6, where 0 is right", 1, true))
        end)

        it("detects a wrong factor of the formula, and accepts a right one, in bytes, per second and as operations", function()
            local function fruit(line, what)
                local one = check(line, "Fruit data volume = bytes of apples + pears\nWork = 2 apples\n" .. (what or ""))[1]
                return one.verdict, one.error_pct and math.floor(one.error_pct + 0.5)
            end
            assert.same({ "right" }, { fruit "Fruit data volume [GBytes] 1.0E-09*(PMC3+PMC1)*64.0" })
            assert.same({ "right" }, { fruit "Fruit bandwidth [MBytes/s] 1.0E-06*(PMC3+PMC1)*64.0/time" })
            assert.same({ "wrong", 50 }, { fruit "Fruit bandwidth [MBytes/s] 1.0E-06*(PMC3+PMC1)*96.0/time" })
            assert.same({ "right" }, { fruit "Work [MFLOP/s] 1.0E-06*PMC3*2.0/time" })
            assert.same({ "wrong", 100 }, { fruit "Work [MFLOP/s] 1.0E-06*PMC3*4.0/time" })
            assert.same({ "broken" }, { fruit "Work [MFLOP/s] 1.0E-06*PMC3*2.0" })
        end)

        it("judges quotients, also with common factors, and accepts any of several meanings of a name", function()
            local function ratio(line, names)
                return check(line, names)[1]
            end
            assert.equal("right", ratio("Pears each PMC1/FIXC0", "Pears each = pears / instructions").verdict)
            assert.equal("right", ratio("Pears each [%] 100*PMC1/time/(FIXC0/time)", "Pears each = pears / instructions").verdict)
            local wrong = ratio("Pears each 2*PMC1/FIXC0", "Pears each = pears / instructions")
            assert.same({ "wrong", 100 }, { wrong.verdict, math.floor(wrong.error_pct + 0.5) })
            local other = ratio("Each PMC1/FIXC0", "Each = apples / instructions\nor Each = pears / instructions")
            assert.same({ "right", "pears / instructions" }, { other.verdict, other.quantity })
            assert.equal("its formula is no quotient", ratio("Each PMC1", "Each = pears / instructions").reason)
        end)

        it("compares quantities that no probe causes with the documentation of the events", function()
            local names = "Berries = apples + 2 cherries"
            local function berries(line)
                return check(line, names, "PMC0 FOUR\nPMC1 RED")[1]
            end
            TRUTH.RED = {}
            assert.equal("right", berries("Berries PMC0+2*PMC1").verdict)
            for _, line in ipairs { "Berries PMC0", "Berries PMC0+PMC1" } do
                local one = berries(line)
                assert.equal("wrong", one.verdict)
                assert.truthy(one.reason:find("of cherries, which no probe makes here, it has", 1, true), one.reason)
            end
            TRUTH.RED = nil
        end)

        it("names what is wrong with each metric, and checks the others", function()
            local checked = check("Apples PMC3\nBad PMC7\nTwo PMC3 * 2\nOpen (PMC3\nApples PMC3")
            local verdicts = lists.collect(checked, function(one) return ("%s %s"):format(one.metric, one.verdict) end)
            table.sort(verdicts)
            assert.same({ "Apples broken", "Apples right", "Bad broken", "Open broken", "Two PMC3 * broken" }, verdicts)
            local function reason(event)
                return check("Apples PMC9", nil, event)[1].reason
            end
            assert.truthy(reason("PMC9 FOUR"):find("has no counter PMC9; the last one is PMC", 1, true))
            assert.truthy(reason("PMC9 NONE"):find("has no counter PMC9", 1, true))
            assert.truthy(check("Apples PMC0", nil, "PMC0 NONE")[1].reason:find("NONE is no event of", 1, true))
            assert.truthy(check("Apples PWR0", nil, "PWR0 JOULES")[1].reason:find("knows no counter PWR0", 1, true))
        end)

        it("gives a reason if it cannot judge", function()
            local function reason(metrics, names)
                local one = check(metrics, names)[1]
                assert.is_nil(one.verdict)
                return one.reason
            end
            assert.truthy(reason("Cherries PMC0"):find("nobody says what a metric of this name is to show", 1, true))
            assert.equal("no quantity of the probes has the unit kg", reason("Fruit [kg] PMC0+PMC1"))
            assert.equal("of the weather", reason("Rain today PMC0", "Rain*: of the weather"))
            assert.equal("its formula is neither a sum of events nor a quotient of two sums", reason("Apples PMC0*PMC1"))
            assert.truthy(reason("Pie PMC0", "Pie -> Pies"):find("no group of Assay's shows Pies", 1, true))
        end)

        it("reports that the group's own text has another formula", function()
            local one = check("Apples PMC3", nil, nil, "Formulas:\nApples = 2*FOUR")[1]
            assert.same({ "right", "2*FOUR" }, { one.verdict, one.documented })
            assert.is_nil(check("Apples PMC3", nil, nil, "Apples = SUM(FOUR)\nApples = UNHEARD_OF")[1].documented)
        end)
    end)
end)
