-- matrix_spec.lua - signatures on raw counts, the confusion matrix and wrong counters: against hand-computed answers.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"
local matrix = require "judge.matrix"
local plan_signature = require "plan.signature"
local reports = require "report.matrix"
local signature = require "judge.signature"

-- A machine of one box of counters: quantities "hot" (A), "cold" (B) and "work" (W) of each core, "line" (L) of the socket.
local function machine()
    local traffic = {}
    for _, one in ipairs { { "hot", "core" }, { "cold", "core" }, { "work", "core" }, { "line", "socket" } } do
        traffic[#traffic + 1] = { boundary = one[1], quantity = one[1], group = "G", metric = one[1], scope = one[2], tolerance_pct = 1 }
    end
    local boxes = { { name = "PMC", count = 4, bits = 48 }, { name = "BOX", count = 1, bits = 48 } }
    return { arch = "test", traffic = traffic, errata = {}, counters = boxes, processor = { clock_hz = 1 },
        cannot = { { quantity = "sight", reason = "it is blind" } } }
end

local EVENTS = { { "PMC0", "A", "hot" }, { "PMC1", "B", "cold" }, { "PMC2", "W", "work" }, { "BOX0", "L", "line" } }

local function groups()
    local group = { name = "G", events = {}, metrics = {} }
    for _, one in ipairs(EVENTS) do
        table.insert(group.events, { name = one[1], counter = one[1], event = one[2], options = "" })
        table.insert(group.metrics, { name = one[3], formula = one[1] })
    end
    return { G = group }
end

local function pattern(name, more)
    local found = { name = name, controls = { present = { code = name .. "+" }, absent = { code = name .. "-" } } }
    return lists.merge(found, more)
end

-- measured = { { pattern's name, code's sign, { count by event of a thread, .. } }, .. }: a region each, its threads on the first cores.
local function campaign(patterns, measured)
    local argument = { patterns = patterns, plans = {}, results = {}, counts = {}, machine = machine(), node = fixture.node(),
        groups = groups(), reps = 1, virtual = true }
    for index, one in ipairs(patterns) do
        local plan = { jobs = {}, skipped = {} }
        for number, region in ipairs(measured) do
            if region[1] == one.name then
                local point, cpus, job = one.name .. region[2] .. number, {}, ("%s.%d"):format(one.name, number)
                for cpu, own in ipairs(region[3]) do
                    cpus[cpu] = cpu - 1
                    -- two runs: what one counted the other did not
                    for run, names in ipairs { "A B", "W L" } do
                        local entry = { pattern = one.name, point = point, rep = 1, thread = cpu - 1, run = "R" .. run, seconds = 1 }
                        entry.counts = {}
                        for _, event in ipairs(EVENTS) do
                            entry.counts[event[2] .. "@" .. event[1]] = names:find(event[2]) and own[event[2]] or nil
                        end
                        table.insert(argument.counts, entry)
                    end
                end
                plan.jobs[#plan.jobs + 1] = { id = job, placement = "S0:" .. #cpus, cpus = cpus, runs = { { name = "R1" } },
                    points = { { code = one.name .. region[2], region = point } } }
                argument.results[job .. "/R1/1"] = { regions = {} }
            end
        end
        argument.plans[index] = plan
    end
    return argument
end

local HOT = { tests = { { quantity = { "hot" }, per = "work" } } }

local function cell(found, row, sign, column)
    for _, one in ipairs(found.cells) do
        if one.pattern == row and one.control == (sign == "+" and "present" or "absent") and one.signature == column then
            return one
        end
    end
end

describe("a signature", function()
    local function values(tests, threads)
        local one = pattern("p", { tests = tests })
        local argument = campaign({ one }, { { "p", "+", threads } })
        local context = signature.context(argument)
        local resolved = plan_signature.of { pattern = one, machine = argument.machine, groups = argument.groups }
        local cpus = argument.plans[1].jobs[1].cpus
        local region = { pattern = "p", code = "p+", control = "present", point = "p+1", rep = 1, cpus = cpus }
        local found = signature.thresholds(context, resolved, one, { region, setmetatable({ control = "absent" }, { __index = region }) })
        return found[1] and { found[1].present.min, found[1].present.max }
    end

    it("divides, adds and compares threads' counts from several runs", function()
        local threads = { { A = 30, B = 6, W = 10, L = 80 }, { A = 10, B = 2, W = 40, L = 0 } }
        assert.same({ 10, 30 }, values({ { quantity = { "hot" } } }, threads))
        assert.same({ 0.25, 3 }, values({ { quantity = { "hot" }, per = "work" } }, threads))
        assert.same({ 0.3, 3.6 }, values({ { quantity = { "hot" }, plus = "cold", per = "work" } }, threads))
        assert.same({ 3, 3 }, values({ { quantity = { "hot" }, spread = true } }, threads))
        assert.same({ 1.6, 1.6 }, values({ { quantity = { "line" }, per = "work" } }, threads)) -- of the socket: 80 over 10 + 40
    end)

    it("has no value without a count or with a divisor of 0, and no spread of one thread or with a thread without count", function()
        assert.is_false(values({ { quantity = { "hot" }, per = "work" } }, { { A = 30, B = 1 } }))
        assert.is_false(values({ { quantity = { "hot" }, per = "work" } }, { { A = 30, W = 0 } }))
        assert.is_false(values({ { quantity = { "hot" }, spread = true } }, { { A = 30 } }))
        assert.is_false(values({ { quantity = { "hot" }, spread = true } }, { { A = 30 }, { A = 0 } }))
        assert.is_false(values({ { quantity = { "hot" }, spread = true } }, { { A = 30 }, { A = 10 }, { B = 1 } }))
    end)

    it("uses the first quantity that the machine shows, or says why it shows none", function()
        local function of(...)
            local one = { name = "p", tests = { { quantity = { ... } } } }
            return plan_signature.of { pattern = one, machine = machine(), groups = groups() }[1]
        end
        assert.equal("hot", of("sight", "hot").quantity.name)
        assert.is_nil(of("sight", "hot").why)
        assert.equal("sight: it is blind", of("sight").why)
    end)

    it("uses metrics that are no rates, and the spread instead of a ratio of two threads", function()
        local timed = machine()
        local rate = { boundary = "hot", quantity = "hot", group = "G", metric = "cold", scope = "core", tolerance_pct = 1, rate = true }
        table.insert(timed.traffic, 1, rate)
        local found = plan_signature.of { pattern = pattern("p", { signature = "hot" }), machine = timed, groups = groups() }[1]
        assert.same({ "hot", nil }, { found.quantity.metric, found.spread })
        local ratio = pattern("p", { signature = "hot, thread 0 : 1" })
        found = plan_signature.of { pattern = ratio, machine = machine(), groups = groups() }[1]
        assert.same({ "hot", true }, { found.quantity.of, found.spread })
    end)

    it("needs only those events of its groups that its metrics use, or that no metric uses", function()
        local all = groups()
        table.insert(all.G.events, { name = "PMC3", counter = "PMC3", event = "COMPANION", options = "" })
        local found = plan_signature.groups { patterns = { pattern("p", HOT) }, machine = machine(), groups = all }
        local events, metrics = {}, {}
        for index, event in ipairs(found[1].events) do
            events[index] = event.event
        end
        for index, metric in ipairs(found[1].metrics) do
            metrics[index] = metric.name
        end
        assert.same({ "A", "W", "COMPANION" }, events)
        assert.same({ "hot", "work" }, metrics)
        assert.equal(1, #plan_signature.beside({ all.G }, found))
    end)
end)

describe("the confusion matrix", function()
    it("leaves out repetitions with a disturbed run", function()
        local measured = lists.map({ { "+", 1000 }, { "+", 1001 }, { "-", 1000 }, { "-", 1 }, { "-", 2 } }, function(one)
            return { "hot", one[1], { { A = one[2], W = 1 } } }
        end)
        local argument = campaign({ pattern("hot", HOT) }, measured)
        assert.equal("its controls are not clearly apart", matrix.make(argument).signatures[1].why)
        table.insert(argument.plans[1].jobs[3].runs, { name = "R2" }) -- what it counted is a part of the region, too
        argument.disturbed = { ["hot.3/R2/1"] = true }
        local found = matrix.make(argument)
        assert.is_nil(found.signatures[1].why)
        assert.same({ "told", 2 }, { cell(found, "hot", "-", "hot").word, cell(found, "hot", "-", "hot").n })
    end)

    local COLD = {
        tests = { { quantity = { "cold" }, per = "work" } },
        also = { { pattern = "hot", control = "present", reason = "it is" }, { pattern = "hot", control = "absent", reason = "never" } },
    }

    -- Counts of the two controls of both patterns, and the quantities that the plan of `hot` leaves out.
    local function made(hot, cold, skipped)
        local measured = {}
        local all = { { "hot", "+", hot[1], 40 }, { "hot", "-", hot[2], 0 }, { "cold", "+", 0, cold[1] }, { "cold", "-", 0, cold[2] } }
        for _, one in ipairs(all) do
            for number = 0, 1 do
                measured[#measured + 1] = { one[1], one[2], { { A = one[3] + number, B = one[4] + number, W = 1 } } }
            end
        end
        local argument = campaign({ pattern("hot", HOT), pattern("cold", COLD) }, measured)
        argument.plans[1].skipped = skipped or {}
        return matrix.make(argument)
    end

    it("recognises its own controls, and reports declared pairs, undeclared ones, and declared ones that were not seen", function()
        local found = made({ 1000, 1 }, { 50, 1 }) -- 40 lies above the band of 50 and 2
        assert.same({ "told", "told", "dark" },
            { cell(found, "hot", "+", "hot").word, cell(found, "hot", "-", "hot").word, cell(found, "cold", "+", "hot").word })
        assert.equal("declared", cell(found, "hot", "+", "cold").word)
        assert.equal("it is", cell(found, "hot", "+", "cold").declared)
        assert.equal("never seen", cell(found, "hot", "-", "cold").word)
        assert.same({ 2, 0, 0, 2, 1 }, { cell(found, "hot", "+", "hot").present, cell(found, "hot", "+", "hot").absent,
            cell(found, "hot", "+", "hot").cannot_say, cell(found, "hot", "+", "hot").n, cell(found, "hot", "+", "hot").rate })
        assert.near(0.342380, cell(found, "hot", "+", "hot").low, 1e-6)
        COLD.also[1].pattern = "elsewhere"
        local notes = table.concat(reports.describe { matrix = found }.notes, "\n")
        assert.truthy(notes:find("declared: cold is seen in hot present: it is", 1, true))
        assert.truthy(notes:find("declared, but not seen here: cold in hot absent: never", 1, true))
        found = made({ 1000, 1 }, { 50, 1 })
        assert.equal("undeclared", cell(found, "hot", "+", "cold").word)
        notes = table.concat(reports.describe { matrix = found }.notes, "\n")
        assert.truthy(notes:find("finding: cold is seen in hot present, undeclared: 2 of 2 regions are called present (0.34", 1, true))
        COLD.also[1].pattern = "hot"
    end)

    it("leaves out a signature whose controls are not clearly apart, with the reason", function()
        local found = made({ 1000, 900 }, { 100, 1 })
        assert.equal("its controls are not clearly apart", found.signatures[1].why)
        assert.is_nil(cell(found, "hot", "+", "hot"))
        assert.equal("told", cell(found, "cold", "+", "cold").word)
    end)

    it("gives the plan's reason for a missing quantity of a signature whose controls are not clearly apart", function()
        local skipped = { { quantity = "cold", reason = "another" }, { quantity = "hot", reason = "hot: it is dark" } }
        assert.equal("hot: it is dark", made({ 1000, 900 }, { 100, 1 }, skipped).signatures[1].why)
        assert.equal("its controls are not clearly apart", made({ 1000, 900 }, { 100, 1 }, { skipped[1] }).signatures[1].why)
        assert.is_nil(made({ 1000, 1 }, { 100, 1 }, skipped).signatures[1].why)
    end)

    it("judges a point of the controls by thresholds from the other points", function()
        -- 10 without itself: the worst are then 1000 and 2, and 10 lies in the band, from their geometric mean of 45 on or below
        local measured = {}
        for number, hot in ipairs { 10, 1000, 1001 } do
            measured[number] = { "hot", "+", { { A = hot, W = 1 } } }
        end
        for number = 1, 2 do
            table.insert(measured, { "hot", "-", { { A = number, W = 1 } } })
        end
        local found = matrix.make(campaign({ pattern("hot", HOT) }, measured))
        local own = cell(found, "hot", "+", "hot")
        assert.same({ "told", 3 }, { own.word, own.present })
        assert.same({ n = 3, told = 2 }, own.held_out)
        assert.same({ n = 0, told = 0 }, cell(found, "hot", "-", "hot").held_out) -- one value is left, which has no worst
        assert.same({ 10, 2 }, { found.signatures[1].tests[1].gap.present, found.signatures[1].tests[1].gap.absent })
    end)

    it("needs all tests to pass on one thread of the region", function()
        local both = { tests = { { quantity = { "hot" } }, { quantity = { "cold" } } } }
        local measured = {
            { "p", "+", { { A = 100, B = 100 }, { A = 100, B = 100 } } }, { "p", "-", { { A = 1, B = 1 }, { A = 1, B = 1 } } },
            { "q", "+", { { A = 100, B = 1 }, { A = 1, B = 100 } } }, { "q", "-", { { A = 1, B = 1 }, { A = 100, B = 100 } } },
            { "r", "+", { { A = 50, B = 100 }, { A = 1, B = 1 } } }, { "r", "-", { { A = 100, B = 50 }, { A = 1, B = 1 } } },
        }
        local found = matrix.make(campaign({ pattern("p", both), pattern("q"), pattern("r") }, measured))
        assert.equal(1, cell(found, "q", "+", "p").absent)
        assert.equal(1, cell(found, "q", "-", "p").present)
        assert.equal("undeclared", cell(found, "q", "-", "p").word)
        assert.equal(1, cell(found, "r", "+", "p").cannot_say)
        assert.equal(1, cell(found, "r", "-", "p").cannot_say)
        assert.same({ "q", "r" }, found.no_signature)
        assert.truthy(table.concat(reports.describe { matrix = found }.notes, "\n"):find("no signature: q\nno signature: r", 1, true))
    end)

    it("answers \"cannot say\" outside of the validated numbers of threads", function()
        local socket = { tests = { { quantity = { "line" } } } }
        local one, two = { { L = 1 } }, { { L = 100 }, { L = 0 } }
        local few = { { L = 1 }, {} }
        local found = matrix.make(campaign({ pattern("p", socket), pattern("q") },
            { { "p", "+", two }, { "p", "+", two }, { "p", "-", few }, { "p", "-", few }, { "q", "+", one }, { "q", "-", two } }))
        assert.same({ min = 2, max = 2 }, found.signatures[1].tests[1].domain.threads)
        assert.equal(1, cell(found, "q", "+", "p").cannot_say)
        assert.equal(1, cell(found, "q", "-", "p").present)
        assert.same({ "virtual", "test" }, { found.signatures[1].tests[1].domain.kind, found.signatures[1].tests[1].domain.arch })
    end)

    it("answers \"cannot say\" for a spread over other numbers of threads, and for impossible values", function()
        local even, uneven = { { A = 10 }, { A = 11 } }, { { A = 10 }, { A = 40 } }
        local one = pattern("p", { tests = { { quantity = { "hot" }, spread = true, most = 7 } } })
        local found = matrix.make(campaign({ one, pattern("q") }, {
            { "p", "+", uneven }, { "p", "+", uneven }, { "p", "-", even }, { "p", "-", even },
            { "q", "+", { { A = 10 }, { A = 40 }, { A = 40 } } }, { "q", "-", { { A = 10 }, { A = 71 } } },
        }))
        assert.equal(1, cell(found, "q", "+", "p").cannot_say)
        assert.equal(1, cell(found, "q", "-", "p").cannot_say)
        one.tests[1].most = 3 -- of which the own control has more
        found = matrix.make(campaign({ one }, { { "p", "+", uneven }, { "p", "+", uneven }, { "p", "-", even }, { "p", "-", even } }))
        assert.equal("not told", cell(found, "p", "+", "p").word)
        local note = reports.describe({ matrix = found }).notes[1]
        assert.truthy(note:find("finding: p present is not recognised by its signature: 0 of 2", 1, true))
    end)

    it("uses only the values of the thread that a control names", function()
        local one = pattern("p", { tests = { { quantity = { "hot" } } } })
        one.controls.present.thread = 1
        local shown, not_shown = { { A = 1 }, { A = 100 } }, { { A = 1 }, { A = 2 } }
        local found = matrix.make(campaign({ one },
            { { "p", "+", shown }, { "p", "+", shown }, { "p", "-", not_shown }, { "p", "-", not_shown } }))
        assert.same({ min = 100, max = 100 }, found.signatures[1].tests[1].present)
        assert.equal("told", cell(found, "p", "+", "p").word)
        assert.equal("told", cell(found, "p", "-", "p").word)
    end)

    it("uses codes of other patterns as the absent control if a test requests it", function()
        local found = matrix.make(campaign({ pattern("p", { tests = { { quantity = { "hot" }, against = "none" } } }), pattern("q") },
            { { "p", "+", { { A = 80 } } }, { "p", "+", { { A = 100 } } }, { "q", "+", { { A = 20 } } }, { "q", "-", { { A = 40 } } } }))
        assert.same({ low = 20, high = 60 }, found.signatures[1].tests[1].band)
        assert.equal(1, cell(found, "q", "+", "p").absent)
        assert.equal(1, cell(found, "q", "-", "p").cannot_say)
    end)
end)

describe("a wrong counter", function()
    local measured = {}
    for number = 1, 2 do
        measured[number] = { "hot", "+", { { A = 400, W = 1 } } }
        measured[number + 2] = { "hot", "-", { { A = 4, W = 1 } } }
    end
    local found = matrix.make(campaign({ pattern("hot", HOT) }, measured))

    -- The value is 40, the band from there to 301: the present regions leave their side at 301 / 400 and are wrong at 40 / 400, the absent
    -- ones at 40 / 4 and 301 / 4. A divisor's factors are the inverses.
    it("changes the answer from a certain factor on", function()
        local hot, work = found.flips[1], found.flips[2]
        assert.same({ "A", "W" }, { hot.event, work.event })
        local function is_near(one, lost_down, lost_up, wrong_down, wrong_up)
            assert.near(1, one.lost.down / lost_down, 0.002)
            assert.near(1, one.lost.up / lost_up, 0.002)
            assert.near(1, one.wrong.down / wrong_down, 0.002)
            assert.near(1, one.wrong.up / wrong_up, 0.002)
        end
        is_near(hot, 301 / 400, 10, 1 / 10, 301 / 4)
        is_near(work, 1 / 10, 400 / 301, 4 / 301, 10)
    end)

    it("is counted for the five faults: a stuck dividend is wrong, a stuck divisor has no value", function()
        for index, case in ipairs { { 0.5, 2 }, { 0.8, 0 }, { 1.25, 0 }, { 2, 0 } } do
            assert.same({ factor = case[1], n = 4, cannot_say = case[2], wrong = 0 }, found.flips[1].changes[index])
        end
        assert.same({ factor = 0, n = 4, cannot_say = 0, wrong = 2 }, found.flips[1].changes[5])
        assert.same({ factor = 0, n = 4, cannot_say = 4, wrong = 0 }, found.flips[2].changes[5])
    end)

    it("is shown next to the matrix", function()
        local shown = reports.describe { matrix = found }
        assert.same({ "1 hot", "+", "100" }, shown.rows[1])
        assert.same({ "1 hot", "-", "0" }, shown.rows[2])
        assert.same({ "1 hot", "A", "?", ".", ".", ".", "!", "0.75 10", "0.1 75.4" }, shown.flips.rows[1])
        assert.same({}, shown.notes)
        assert.is_nil(reports.describe {})
    end)
end)
