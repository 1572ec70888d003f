-- diagnosis_spec.lua - which patterns a program shows, on stored counts; shares computed by hand. SPDX-License-Identifier: GPL-3.0-or-later
local costs = require "input.costs"
local explained = require "model.explained"
local fixture = require "fixture"
local judge = require "program.judge.diagnosis"
local lists = require "input.lists"
local plan = require "program.plan.diagnosis"
local report = require "program.report.diagnosis"
local scaling = require "program.report.scaling"

local MACHINE, GROUPS = fixture.machine(), fixture.groups()
local COSTS = costs.read { { text = fixture.text "groups/haswellEP/pmu.costs", file = "c" } }
local BRANCH = "mispredicted branches = 15 .. 20; virtual branch; a book"
local DIVIDER = "divider uops = 7 .. 20; a book"

-- A record in which all metrics of these groups have that verdict.
local function record_with(verdict, groups)
    local record = { metrics = {}, node = { kind = "virtual" } }
    for _, group in pairs(groups or GROUPS) do
        for _, metric in ipairs(group.metrics) do
            table.insert(record.metrics,
                { group = group.name, metric = metric.name, verdict = verdict, class = "exact", measured = { max = 1 } })
        end
    end
    return record
end

local function node_of(cores, kind)
    local cpus = {}
    for cpu = 0, cores - 1 do
        cpus[#cpus + 1] = cpu
    end
    local node = fixture.node()
    node.kind, node.cores_per_socket, node.cpus_by_socket, node.cpus_by_domain = kind or "virtual", cores, { cpus }, { cpus }
    return node
end

-- Candidates of the named patterns on Haswell-EP.
local function candidates(names, more)
    local argument = { patterns = lists.map(names, fixture.pattern), machine = MACHINE, groups = GROUPS, node = node_of(4),
        record = record_with "validated", costs = COSTS, threads = 1 }
    lists.merge(argument, more)
    return plan.wants(argument)
end

-- Counts of a region: { [event] = counts of its threads }; turned = instructions of its threads if they take other turns, turned_counts =
-- counts of such a run, { [event] = counts of its threads }.
local function counted(by_event, region, turned, turned_counts)
    local found = { regions = { region or "loop" }, system = {}, counts = {} }
    for event, values in pairs(by_event) do
        for thread, value in ipairs(values) do
            local name, options = event:match "^([%w_]+):?(.*)$"
            table.insert(found.counts, { event = name, options = options, region = 0, leaf = thread - 1, values = { value } })
            found.system[thread] = { process = 0, thread = thread - 1, core = thread - 1, host = "h" }
        end
    end
    local function rows_of(values)
        return lists.map(values, function(value, thread) return { region = 0, leaf = thread - 1, values = { value } } end)
    end
    for event, values in pairs(turned_counts or {}) do
        found.turned_counts = lists.append(found.turned_counts or {}, lists.map(values, function(value, thread)
            return { event = event, options = "", region = 0, leaf = thread - 1, values = { value } }
        end))
    end
    if turned then
        found.witness, found.turned = rows_of(by_event.INSTR_RETIRED_ANY), rows_of(turned)
    end
    return found
end

-- The findings by pattern.
local function judged(names, by_event, more)
    local threads = #by_event.INSTR_RETIRED_ANY
    local wanted = candidates(names, { threads = threads, node = more and more.node })
    local found = judge.judge { candidates = wanted.candidates, line_cycles = wanted.line_cycles, rates = wanted.rates, node = node_of(4),
        limit = 0.05, counted = counted(by_event, more and more.region, more and more.turned, more and more.turned_counts) }
    return lists.index(found.findings, "pattern"), found.findings, found.rates
end

local function cycles(values)
    return { INSTR_RETIRED_ANY = values, CPU_CLK_UNHALTED_CORE = values }
end

local function with(counts, more)
    return lists.merge(counts, more)
end

-- What an architecture's counts say about a pattern: a function of them; the pattern's other events count 0.
local function finding_on(arch, pattern, threads, node)
    local groups = fixture.groups(arch)
    local wanted = candidates({ pattern }, { node = node, machine = fixture.machine(arch), groups = groups,
        record = record_with("validated", groups),
        threads = threads or 1, costs = costs.read { { text = fixture.text("groups/" .. arch .. "/pmu.costs"), file = "c" } } })
    return function(by_event)
        local counts = {}
        for _, term in pairs(wanted.candidates[1].terms) do
            for _, event in ipairs(term.events) do
                local options = event.options ~= "" and ":" .. event.options or ""
                counts[event.event .. options] = lists.filter({ 0, 0 }, function(_, i) return i <= (threads or 1) end)
            end
        end
        return judge.judge({ candidates = wanted.candidates, line_cycles = wanted.line_cycles, rates = wanted.rates, node = node_of(4),
            limit = 0.05, counted = counted(with(counts, by_event)) }).findings[1]
    end
end

describe("costs of events", function()
    it("are intervals of cycles with their source, on virtual nodes formulas", function()
        local found = costs.read { { text = "# c\n" .. BRANCH .. "\n" .. DIVIDER .. " # d\n", file = "f" } }
        assert.same({ low = 15, high = 20, virtual = { low = "branch", high = "branch" }, source = "a book" },
            found["mispredicted branches"])
        assert.same({ low = 7, high = 20, source = "a book" }, found["divider uops"])
        found = costs.read { { text = "divider uops = 7 .. 20; pipeline; a book", file = "f" } }
        assert.same({ low = 7, high = 20, in_pipeline = true, source = "a book" }, found["divider uops"])
    end)

    it("are refused with file and line if they are none", function()
        local function message(line)
            return select(2, pcall(costs.read, { { text = "\n" .. line, file = "f" } }))
        end
        assert.equal("f:2: 'a = 2' is not NAME = LOW .. HIGH; SOURCE", message "a = 2")
        assert.equal("f:2: 'a = 2 .. 1; s' is not NAME = LOW .. HIGH; SOURCE", message "a = 2 .. 1; s")
        assert.equal("f:2: 'L9' is no cost of the time model (lua/input/costs.lua)", message "a = 1 .. 2; virtual L9; s")
    end)

    it("are stated for all that patterns ask for", function()
        for _, arch in ipairs { "haswellEP", "zen3" } do
            local found = costs.read { { text = fixture.text(("groups/%s/pmu.costs"):format(arch)), file = "c" } }
            for _, name in ipairs { "mispredicted branches", "split loads", "loads not forwarded", "loads from L3", "loads past L3" } do
                assert.is_true(found[name].low > 0 and found[name].low <= found[name].high, name)
            end
        end
    end)
end)

describe("the plan of a diagnosis", function()
    it("wants the events of validated metrics, with cycles and instructions", function()
        local found = candidates { "control_flow" }
        assert.same({ "BR_MISP_RETIRED_ALL_BRANCHES", "CPU_CLK_UNHALTED_CORE", "INSTR_RETIRED_ANY" },
            lists.sorted(lists.set(found.wants[1].events, "event")))
        assert.equal(15, found.candidates[1].terms["mispredicted branches"].cost.low) -- branch_penalty of the machine file
        assert.is_false(found.candidates[1].added)
    end)

    it("leaves out a pattern without validated metrics, and says why", function()
        local found = candidates({ "control_flow" }, { record = record_with "rejected" })
        assert.equal("Runtime unhalted of ASSAY_AVX is rejected", found.candidates[1].why)
        assert.same({}, { table.unpack(found.wants) })
        found = candidates({ "ineffective_instructions" })
        assert.equal("no group of haswellEP shows scalar FLOPs DP", found.candidates[1].why)
        found = candidates({ "sparse_indirection" })
        assert.equal("no share of the run time is defined for it", found.candidates[1].why)
    end)

    it("takes a metric's worst verdict, and ignores rows that would notice nothing", function()
        local record = record_with "validated"
        table.insert(record.metrics, { group = "ASSAY_BRANCH", metric = "Mispredicted branches", verdict = "untested", class = "exact" })
        assert.is_nil(candidates({ "control_flow" }, { record = record }).candidates[1].why)
        table.insert(record.metrics, { group = "ASSAY_BRANCH", metric = "Mispredicted branches", verdict = "rejected", class = "unknown" })
        local rejected = candidates({ "control_flow" }, { record = record }).candidates[1]
        assert.equal("Mispredicted branches of ASSAY_BRANCH is rejected", rejected.why)
    end)

    it("rules out what a single thread or socket cannot show", function()
        local found = candidates { "false_sharing", "page_placement" }
        assert.same({ "one thread", "one socket" }, lists.map(found.candidates, "ruled_out"))
        assert.is_nil(candidates({ "false_sharing" }, { threads = 2 }).candidates[1].ruled_out)
    end)

    it("wants a run with other turns of several threads on a virtual node", function()
        local function turns(threads, kind)
            local wants = candidates({ "control_flow" }, { threads = threads, node = node_of(4, kind) }).wants
            return lists.collect(wants, function(want) return want.turn end)
        end
        assert.same({ { 500 }, {}, {} }, { turns(2), turns(1), turns(2, "native") })
        assert.same({}, { table.unpack(candidates({ "sparse_indirection" }, { threads = 2 }).wants) }) -- nothing to count
    end)

    it("knows what a line takes at the peak: of the time model, or of the record's largest bandwidth", function()
        -- 200 cycles a core at four cores; natively 64 bytes * 2000 MHz / 12800 MB/s
        assert.equal(50, candidates({}).line_cycles["L3-MEM"])
        local record = record_with "validated"
        for _, row in ipairs(record.metrics) do
            local value = row.metric == "iMC bandwidth" and 12800 or row.metric == "Clock" and 2000 or 1
            row.measured = { max = value }
        end
        assert.equal(10, candidates({}, { node = node_of(4, "native"), record = record }).line_cycles["L3-MEM"])
    end)

    it("takes the cost of an event from the pattern's two controls in the record of a native node", function()
        -- (220 - 100) / (9 - 1) and (400 - 200) / (10 - 0) cycles
        local record = record_with "validated"
        record.samples, record.counts = {}, {}
        for i, row in ipairs { { "random", 1, 220, 9 }, { "random", 2, 400, 10 }, { "sorted", 1, 100, 1 }, { "sorted", 2, 200, 0 } } do
            local code, size, own_cycles, mispredicted = table.unpack(row)
            record.samples[i] = { pattern = "control_flow", point = "p" .. i, given = { size = size } }
            record.counts[i] = { pattern = "control_flow", code = code, point = "p" .. i, thread = 0, counts = {
                ["BR_MISP_RETIRED_ALL_BRANCHES@PMC2"] = mispredicted, ["CPU_CLK_UNHALTED_CORE@FIXC1"] = own_cycles,
                ["INSTR_RETIRED_ANY@FIXC0"] = 1 } }
        end
        local function cost(kind)
            return candidates({ "control_flow" }, { node = node_of(4, kind), record = record }).candidates[1].terms["mispredicted branches"]
                .cost
        end
        assert.same({ low = 15, high = 20, source = "measured by the pattern's controls" }, cost "native")
        assert.equal(MACHINE.processor.branch_penalty, cost("virtual").high)
        record.samples = nil -- sizes are not known
        assert.equal(COSTS["mispredicted branches"].source, cost("native").source)
    end)

    it("widens a cost by the factors of codes whose count the record corrects", function()
        local function cost(correction)
            local record = record_with "validated"
            table.insert(record.metrics, { group = "ASSAY_BRANCH", metric = "Mispredicted branches", verdict = "correctable", class =
                "multiplicative", correction = correction })
            local found = candidates({ "control_flow" }, { record = record }).candidates[1]
            return found.terms["mispredicted branches"] and found.terms["mispredicted branches"].cost, found.why
        end
        local penalty = MACHINE.processor.branch_penalty
        local found = cost { factor_ci = { 1.4, 1.5 }, offset = 0 }
        assert.same({ penalty / 1.5, penalty }, { found.low, found.high })
        found = cost { factor_ci = { 0.5, 0.6 }, offset = 0 }
        assert.same({ penalty, penalty / 0.5 }, { found.low, found.high })
        assert.equal("Mispredicted branches of ASSAY_BRANCH is correctable", select(2, cost { factor_ci = { 1, 2 }, offset = 7 }))
    end)
end)

describe("a diagnosis", function()
    it("is the events' cycles in the run time, in an interval", function()
        -- 1000 mispredictions of 15 cycles in 30000 cycles; below 5 % with 90
        local found = judged({ "control_flow" }, with(cycles { 30000 }, { BR_MISP_RETIRED_ALL_BRANCHES = { 1000 } })).control_flow
        assert.same({ "present", 0.5, 0.5 }, { found.answer, found.low, found.high })
        found = judged({ "control_flow" }, with(cycles { 30000 }, { BR_MISP_RETIRED_ALL_BRANCHES = { 90 } })).control_flow
        assert.same({ "absent", 0.045, 0.045 }, { found.answer, found.low, found.high })
    end)

    it("adds documented costs to the run time if the time model has none", function()
        -- 100 * 7 .. 20 cycles in 1000 and these
        local found = judged({ "long_latency" }, with(cycles { 1000 }, { ARITH_DIVIDER_UOPS = { 100 } })).long_latency
        assert.is_true(found.added)
        assert.near(700 / 1700, found.low, 1e-6)
        assert.near(2000 / 3000, found.high, 1e-6)
    end)

    it("adds the costs of others as well", function()
        local found = judged({ "long_latency", "control_flow" }, with(cycles { 1000 },
            { ARITH_DIVIDER_UOPS = { 100 }, BR_MISP_RETIRED_ALL_BRANCHES = { 20 } })).control_flow
        assert.near(300 / 3000, found.low, 1e-6)
        assert.near(300 / 1700, found.high, 1e-6)
    end)

    it("says nothing where the interval spans the limit, or a count is absent", function()
        -- split loads of 1 .. 11 cycles: 10 in 1000 are 1 .. 10 %
        local found = judged({ "split_loads" }, with(cycles { 1000 }, { MEM_UOPS_RETIRED_LOADS_SPLIT = { 10 } })).split_loads
        assert.equal("cannot say", found.answer)
        found = judged({ "split_loads" }, cycles { 1000 }).split_loads
        assert.same({ "cannot say", "MEM_UOPS_RETIRED_LOADS_SPLIT has no value" }, { found.answer, found.why })
    end)

    it("says nothing of a counter of cycles that is stuck", function()
        local stuck = judged({ "control_flow", "load_imbalance" }, { INSTR_RETIRED_ANY = { 1000, 1000 }, CPU_CLK_UNHALTED_CORE = { 0, 0 },
            BR_MISP_RETIRED_ALL_BRANCHES = { 10, 10 }, BR_INST_RETIRED_ALL_BRANCHES = { 99, 99 }, AVX_INSTS_CALC = { 0, 0 },
            L1D_REPLACEMENT = { 0, 0 } })
        for _, found in pairs(stuck) do
            assert.same({ "cannot say", "unhalted time is 0 on all threads" }, { found.answer, found.why })
        end
    end)

    it("says nothing instead of absent where the counts lack some of the events", function()
        local function found(divisions)
            local wanted = candidates { "long_latency" }
            local terms = wanted.candidates[1].terms
            terms["division FLOPs"] = terms["divider uops"] -- as on AMD, whose event is of floating-point numbers only
            local counts = counted(with(cycles { 1000 }, { ARITH_DIVIDER_UOPS = { divisions } }))
            return judge.judge({ candidates = wanted.candidates, line_cycles = wanted.line_cycles, rates = wanted.rates,
                node = node_of(4), limit = 0.05, counted = counts }).findings[1]
        end
        local none = found(0)
        assert.same({ "cannot say", "divisions of integers are not counted" }, { none.answer, none.why })
        local many = found(100)
        assert.same({ "present" }, { many.answer, many.why })
    end)

    it("takes the thread with the largest share, in the time of the longest", function()
        local found = judged({ "control_flow" }, with(cycles { 1000, 4000 }, { BR_MISP_RETIRED_ALL_BRANCHES = { 40, 20 } })).control_flow
        assert.same({ 0, 0.15, "present" }, { found.leaf, found.low, found.answer })
        assert.near(0.075, found.regions[1].threads[2].low, 1e-6)
    end)

    it("says nothing of a whole program where only the thread that starts it has the pattern", function()
        local function found(mispredicted, region, scale)
            scale = scale or 1
            mispredicted = lists.map(mispredicted, function(count) return count * scale end)
            local counts = with(cycles { 4000 * scale, 4000 * scale }, { BR_MISP_RETIRED_ALL_BRANCHES = mispredicted })
            return judged({ "control_flow" }, counts, { region = region }).control_flow
        end
        local start = found({ 20, 10 }, "")
        assert.same({ "cannot say", 0.075 }, { start.answer, start.low })
        assert.matches("^only the thread that starts the program", start.why)
        assert.equal("present", found({ 20, 10 }, "loop").answer)
        assert.equal("present", found({ 20, 14 }, "").answer) -- 14 * 15 of 4000 cycles in the other thread
        assert.equal("present", found({ 10, 20 }, "").answer)
        assert.equal("absent", found({ 10, 10 }, "").answer)
        -- 20 * 40000 * 15 cycles less 4e6 are 5 % of 4000 * 40000
        assert.equal("cannot say", found({ 20, 10 }, "", 39999).answer)
        assert.equal("present", found({ 20, 10 }, "", 40000).answer)
    end)

    it("tells random accesses from streams by the pages that they need", function()
        local function latency(near, far, stlb, walks)
            local found = judged({ "latency_bound" }, with(cycles { 10000 }, { MEM_LOAD_UOPS_RETIRED_L3_HIT = { near },
                MEM_LOAD_UOPS_RETIRED_L3_MISS = { far }, DTLB_LOAD_MISSES_STLB_HIT = { stlb },
                DTLB_LOAD_MISSES_CAUSES_A_WALK = { walks } })).latency_bound
            return { found.answer, found.low, found.high }
        end
        local L3, walk = MACHINE.levels[4].latency, MACHINE.processor.walk_latency
        assert.same({ "present", 40 * L3 / 10000, 40 * L3 / 10000 }, latency(40, 0, 40, 0))
        assert.same({ "absent", L3 / 10000, 2 * L3 / 10000 }, latency(40, 0, 1, 0)) -- one page a 40 lines, or two
        assert.same({ "present", 40 * (200 + walk) / 10000, 40 * (200 + walk) / 10000 }, latency(0, 40, 0, 40))
        assert.same({ "absent", 0, 0 }, latency(0, 40, 40, 0)) -- streams whose pages share a set
    end)

    -- Two threads alike, each with 10000 cycles and instructions, that load modified lines of their socket or of another.
    local function sharing(names, here, more, there, turned_counts)
        return judged(names, with(with(cycles { 10000, 10000 }, {
            MEM_UOPS_RETIRED_LOADS_LOCK = { 0, 0 }, BR_MISP_RETIRED_ALL_BRANCHES = { 0, 0 }, AVX_INSTS_CALC = { 0, 0 },
            DTLB_LOAD_MISSES_CAUSES_A_WALK = { 0, 0 },
            MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM = { here, here },
            MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM = { there or 0, there or 0 } }), more), { node = there and fixture.two_sockets(),
            turned_counts = turned_counts })
    end
    local MOVE = 2 * MACHINE.levels[4].latency -- a modified line of the socket, at least

    it("attributes lines that locked instructions took to either", function()
        local found = sharing({ "atomic_updates", "false_sharing" }, 100, { MEM_UOPS_RETIRED_LOADS_LOCK = { 100, 100 } })
        assert.same({ "present", "cannot say" }, { found.atomic_updates.answer, found.false_sharing.answer })
        assert.equal(0, found.false_sharing.low)
        -- of 100 lines 9 locked loads may explain 90
        found = sharing({ "false_sharing" }, 100, { MEM_UOPS_RETIRED_LOADS_LOCK = { 9, 9 } })
        assert.near(10 * MOVE / 10000, found.false_sharing.low, 1e-6)
    end)

    it("does not take lines for shared that a thread uses for the first time, in pages that it walked to", function()
        local function found(walks)
            return sharing({ "false_sharing" }, 300, { DTLB_LOAD_MISSES_CAUSES_A_WALK = { walks, walks } }).false_sharing
        end
        assert.near((300 - 4 * 64) * MOVE / 10000, found(4).low, 1e-6)
        assert.same({ "cannot say", 0, found(0).high }, { found(5).answer, found(5).low, found(5).high })
    end)

    it("takes lines that move more often in shorter turns for shared all the time", function()
        local function found(lines, cycles_, more)
            local turned = { CPU_CLK_UNHALTED_CORE = cycles_, MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM = { lines, lines },
                MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM = { 0, 0 } }
            return sharing({ "false_sharing" }, 5, {}, nil, with(turned, more or {})).false_sharing
        end
        local once = found(5, { 10000, 10000 })
        assert.same({ "cannot say", 5 * MOVE / 10000 }, { once.answer, once.low })
        local twice = found(10, { 10000, 12500 })
        assert.same({ "present", 10 * MOVE / 12500 }, { twice.answer, twice.low })
        assert.equal(once.low, found(3, { 10000, 10000 }).low) -- fewer lines in shorter turns say nothing
        -- spins and first uses of pages in that run explain lines as they do in others
        assert.equal(once.low, found(10, { 10000, 10000 }, { BR_MISP_RETIRED_ALL_BRANCHES = { 6, 6 } }).low)
        assert.equal(once.low, found(10, { 10000, 10000 }, { DTLB_LOAD_MISSES_CAUSES_A_WALK = { 1, 1 } }).low)
        assert.equal(once.low, found(10, { 10000 }).low) -- cycles of a thread are absent
        -- a wait that idles ends without a misprediction in that run; in the other one all lines have some
        local idle = sharing({ "false_sharing" }, 5, { BR_MISP_RETIRED_ALL_BRANCHES = { 5, 5 } }, nil, {
            CPU_CLK_UNHALTED_CORE = { 10000, 10000 }, MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM = { 10, 10 },
            BR_MISP_RETIRED_ALL_BRANCHES = { 0, 0 } }).false_sharing
        assert.equal(0, idle.low)
    end)

    it("takes lines for the ends of waits if jumps are mispredicted, and few instructions are work", function()
        -- 100 lines, 90 mispredictions; 10000 - 8 * 100 instructions that no vector operation needs
        local names = { "false_sharing", "synchronisation" }
        local found = sharing(names, 100, { BR_MISP_RETIRED_ALL_BRANCHES = { 90, 90 }, AVX_INSTS_CALC = { 100, 100 } })
        assert.near(10 * MOVE / 10000, found.false_sharing.low, 1e-6)
        assert.same({ "present", 90 * MOVE / 10000 }, { found.synchronisation.answer, found.synchronisation.low })
        -- without vector operations it is not known which instructions are work; if all are work, nobody waits
        for _, operations in ipairs { 99, 1250 } do
            found = sharing(names, 100, { BR_MISP_RETIRED_ALL_BRANCHES = { 90, 90 }, AVX_INSTS_CALC = { operations, operations } })
            assert.same({ "cannot say", 0 }, { found.synchronisation.answer, found.synchronisation.low })
        end
        -- a thread that waits alone has less work: that is load imbalance
        found = sharing(names, 100, { BR_MISP_RETIRED_ALL_BRANCHES = { 90, 90 }, AVX_INSTS_CALC = { 100, 1250 } })
        assert.equal(0, found.synchronisation.low)
    end)

    it("takes instructions that depend on the threads' turns for waits that spin", function()
        -- 10000 instructions, and these if the threads take other turns
        local function found(first, second, lines)
            local counts = with(cycles { 10000, 10000 }, { BR_MISP_RETIRED_ALL_BRANCHES = { 90, 90 }, AVX_INSTS_CALC = { 0, 0 },
                MEM_UOPS_RETIRED_LOADS_LOCK = { 0, 0 }, MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM = { lines or 1, lines or 1 },
                MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM = { 0, 0 } })
            local share = judged({ "synchronisation" }, counts, { turned = { first, second } }).synchronisation
            return { share.answer, share.low }
        end
        assert.same({ "present", 0.4 }, found(6000, 5000))
        assert.same({ "cannot say", 0 }, found(10000, 10000))
        assert.same({ "cannot say", 0 }, found(10000, 5000)) -- the other waits: load imbalance
        assert.same({ "cannot say", 0 }, found(6000, 14000)) -- they share work in another way
        assert.same({ "cannot say", 0 }, found(12000, 12000))
        assert.same({ "cannot say", 0 }, found(6000, 5000, 0)) -- no line ended a wait
        assert.same({ "cannot say", 0 }, found(6000, nil)) -- of a thread it was not measured
    end)

    it("takes instructions beyond eight a vector operation for overhead, and for waits if there are several threads", function()
        local function overhead(operations, threads)
            local own, calculated = {}, {}
            for i = 1, threads do
                own[i], calculated[i] = 1000, operations
            end
            return judged({ "instruction_overhead" }, with(cycles(own), { AVX_INSTS_CALC = calculated })).instruction_overhead
        end
        local one = overhead(50, 1)
        assert.same({ "present", 0.6, 0.95 }, { one.answer, one.low, one.high }) -- 1000 - 8 * 50, 1000 - 50
        assert.same({ "cannot say", 0, 0.95 }, { overhead(50, 2).answer, overhead(50, 2).low, overhead(50, 2).high })
        assert.equal(0, overhead(125, 1).low)
        assert.equal(0, overhead(9, 1).low) -- too few to be the thread's work
        assert.equal("absent", overhead(960, 1).answer)
    end)

    it("takes for chains of operations what nothing else explains", function()
        local node = node_of(4)
        node.has_pipeline = true
        local finding = finding_on("haswellEP", "pipelining", 1, node)
        local function without(name) -- a thread that counts all that the lower bound needs but this
            local counts = setmetatable({ instructions = 1000, ["unhalted time"] = 1000 }, { __index = function(_, key)
                return key ~= name and 0 or nil
            end })
            local costs_ = setmetatable({}, { __index = function() return { 1, 1 } end })
            return { counts = counts, costs = costs_, quantities = {}, threads = {} }
        end
        local function share(spent, operations, divisions, more)
            local found = finding(with({ INSTR_RETIRED_ANY = { 1000 }, CPU_CLK_UNHALTED_CORE = { spent }, AVX_INSTS_CALC = { operations },
                ARITH_DIVIDER_UOPS = { divisions or 0 } }, more or {}))
            return { found.answer, found.low, found.high }
        end
        assert.same({ "present", 0.8, 0.9375 }, share(4000, 800)) -- 4000 - 800; 4000 - 1000 / 4
        assert.same({ "present", 0.875, 0.9375 }, share(4000, 100)) -- 4000 - 1000 / 2
        assert.same({ "present", 0.5, 0.75 }, share(1000, 0))
        -- a misprediction may wait for what it compares, a line that no load fetched for its page and address
        assert.near(0.875 - 10 * 30 / 4000, share(4000, 100, 0, { BR_MISP_RETIRED_ALL_BRANCHES = { 10 } })[2], 1e-6)
        local penalty = MACHINE.levels[3].latency + MACHINE.processor.walk_latency + 5
        assert.near(0.875 - 10 * penalty / 4000, share(4000, 100, 0, { L1D_REPLACEMENT = { 10 } })[2], 1e-6)
        for _, name in ipairs { "loads from L2", "loads past L3", "mispredicted branches", "memory read volume" } do
            assert.equal(0, explained.dependent(without(name), {})[1], name)
        end
        assert.equal(500, explained.dependent(without(), {})[1])
        assert.same({ "cannot say", 0, (3750 - 7 * 175) / 4000 }, share(4000, 800, 175)) -- divisions of 7 to 20 cycles
        assert.same({ "absent", 0, 0 }, share(250, 0))
        assert.equal("the node's time model has no pipeline: add +pipeline to its name", candidates({ "pipelining" }).candidates[1].why)
    end)

    it("lets a pipeline have its own time for divisions, and documented costs for instructions", function()
        local node = node_of(4)
        node.has_pipeline = true
        local function candidate(name, of) return candidates({ name }, { node = of }).candidates[1] end
        assert.same({ true, false }, { candidate("long_latency").added, candidate("long_latency", node).added })
        local function cost(of) return candidate("control_flow", of).terms["mispredicted branches"].cost end
        assert.same({ 15, 15, 15, 20 }, { cost().low, cost().high, cost(node).low, cost(node).high })
    end)

    it("does not take for a pattern what the start of a program costs", function()
        local limit = (4e5 + 0.05 * 2e6) / 15 -- mispredictions: patterns/control_flow.lua
        local function answer(mispredicted, region)
            local counts = with(cycles { 2e6 }, { BR_MISP_RETIRED_ALL_BRANCHES = { mispredicted } })
            return judged({ "control_flow" }, counts, { region = region }).control_flow.answer
        end
        assert.same({ "cannot say", "present", "present" }, { answer(limit - 1, ""), answer(limit + 1, ""), answer(limit - 1) })
    end)

    it("takes scalar operations for work where they are counted, if they are many", function()
        local finding = finding_on("skylakeX", "instruction_overhead")
        local function low(doubles, floats, stores)
            return finding { INSTR_RETIRED_ANY = { 1600 }, CPU_CLK_UNHALTED_CORE = { 1600 },
                FP_ARITH_INST_RETIRED_SCALAR_DOUBLE = { doubles }, FP_ARITH_INST_RETIRED_SCALAR_SINGLE = { floats },
                MEM_INST_RETIRED_ALL_STORES = { stores or doubles + floats } }.low
        end
        assert.equal(0.5, low(100, 0)) -- 1600 - 8 * 100
        assert.equal(0.25, low(50, 100))
        assert.equal(0, low(99, 0)) -- other work beside them
        assert.equal(0, low(200, 0))
        assert.equal((1600 - 8 * 100 + 60) / 1600, low(100, 0, 40)) -- 60 of the operations had no store
        assert.equal(0.5, low(100, 0, 500))
    end)

    it("counts the load and the store for a line that another core has, and more if it is in another socket", function()
        -- 2 lines at two latencies of L3, one of them at remote latency instead of one of L3; at most a turn of 1000 more
        local found = sharing({ "false_sharing" }, 1, {}, 1).false_sharing
        local L3, remote = MACHINE.levels[4].latency, MACHINE.processor.remote_latency
        assert.near((2 * MOVE + remote - L3) / 10000, found.low, 1e-6)
        assert.near((2 * 1000 + remote) / 10000, found.high, 1e-6)
    end)

    -- The line's price is 200 / 4 cycles: 4 threads of 150 lines need 30000 of 36000 cycles.
    it("compares bandwidth with the peak of all cores, for any number of threads", function()
        local function saturation(threads, lines, evicted, written, region)
            local function each(value)
                return lists.map({ 1, 2, 3, 4 }, function(thread) return thread <= threads and value or nil end)
            end
            return judged({ "bandwidth_saturation" }, with(cycles(each(36000)), {
                ["OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x01B3:MATCH1=0x63FC0"] = each(lines), L2_LINES_IN_ALL = each(lines),
                MEM_LOAD_UOPS_RETIRED_L3_HIT = each(0), MEM_LOAD_UOPS_RETIRED_L3_MISS = each(150),
                DTLB_LOAD_MISSES_STLB_HIT = each(0), DTLB_LOAD_MISSES_CAUSES_A_WALK = each(0),
                L2_TRANS_L2_WB = each(evicted), CAS_COUNT_WR = { written },
            }), { region = region }).bandwidth_saturation
        end
        local all, one = saturation(4, 150, 0, 0), saturation(1, 150, 0, 0)
        assert.equal("present", all.answer)
        assert.near(2 * 30 / 36 - 1, all.low, 1e-6)
        assert.near(30 / 36, all.high, 1e-6)
        assert.same({ "cannot say", 0 }, { one.answer, one.low })
        -- Written lines: 150 that were read before may take no time, nor those of L2; 600 of others are of non-temporal stores.
        local back, past, both = saturation(4, 150, 150, 150), saturation(4, 0, 0, 600), saturation(4, 150, 25, 160, "")
        assert.near(2 * 30 / 36 - 1, back.low, 1e-6)
        assert.equal(1, back.high)
        assert.near(2 * 30 / 36 - 1, past.low, 1e-6)
        assert.near(2 * 33 / 36 - 1, both.low, 1e-6)
        assert.near(2 * 30 / 36 - 1, saturation(4, 150, 25, 160, "loop").low, 1e-6) -- lines of an earlier region, perhaps
    end)

    it("finds imbalance of any number of threads, by cycles or, if they spin, by their work", function()
        local function imbalance(own, more, region)
            return judged({ "load_imbalance" }, with(with(with(cycles(own), { BR_INST_RETIRED_ALL_BRANCHES = own }),
                { AVX_INSTS_CALC = { 0, 0, 0, 0 }, L1D_REPLACEMENT = { 0, 0, 0, 0 } }), more or {}), { region = region }).load_imbalance
        end
        local asleep, spinning = imbalance { 1000, 2000, 3000, 4000 }, imbalance({ 4000, 4000, 4000, 4000 },
            { AVX_INSTS_CALC = { 100, 200, 300, 400 } })
        assert.same({ "present", 0.375, 0.375 }, { asleep.answer, asleep.low, asleep.high }) -- 1 - 2500 / 4000
        assert.same({ "present", 0.375, 0.375 }, { spinning.answer, spinning.low, spinning.high })
        assert.equal("absent", imbalance({ 4000, 4000, 4000, 4000 }).answer)
        local unlike = imbalance({ 4000, 4000, 4000, 4000 }, { BR_INST_RETIRED_ALL_BRANCHES = { 400, 400, 400, 800 } })
        assert.same({ "cannot say", 0, 0.75 }, { unlike.answer, unlike.low, unlike.high })
        local function serial(own, operations)
            return judged({ "load_imbalance" }, with(with(cycles(own), { BR_INST_RETIRED_ALL_BRANCHES = own }),
                { AVX_INSTS_CALC = operations or { 0, 0 }, L1D_REPLACEMENT = { 0, 0 } }), { region = "" }).load_imbalance
        end
        -- The first thread may have to start the program and the other thread, for 8.6 million cycles and 720 operations, and spin for 0.6
        -- million cycles meanwhile.
        local short, long, working = serial { 4000, 2000 }, serial { 18.6e6, 4e6 }, serial({ 18e6, 18e6 }, { 2e6 + 720, 1e6 })
        assert.same({ "cannot say", 0, 0.25 }, { short.answer, short.low, short.high })
        assert.same("present", long.answer)
        assert.near(((1 - 7 / 10) * 10 - 0.6) / 18.6, long.low, 1e-6)
        assert.near(1 - 11.3 / 18.6, long.high, 1e-6)
        assert.same("present", working.answer)
        assert.near(0.25, working.low, 1e-6)
        assert.near(0.5 - 5e2 / 5e6, serial({ 20e6, 19.9e6 }, { 1000, 5e6 }).low, 1e-2) -- the other thread has the work
    end)

    it("sees unused parts of lines", function()
        -- 10 lines of L2 at 12 cycles with one load each: of 64 bytes 8 to 32 are used
        local counts = with(cycles { 1000 }, { MEM_LOAD_UOPS_RETIRED_L1_HIT = { 0 }, MEM_LOAD_UOPS_RETIRED_L2_HIT = { 10 },
            MEM_LOAD_UOPS_RETIRED_L3_HIT = { 0 }, MEM_LOAD_UOPS_RETIRED_L3_MISS = { 0 }, AVX_INSTS_LOADS = { 0 },
            DTLB_LOAD_MISSES_STLB_HIT = { 0 }, DTLB_LOAD_MISSES_CAUSES_A_WALK = { 0 } })
        local found = judged({ "excess_volume" }, counts).excess_volume
        assert.near(0.12 * (1 - 32 / 64), found.low, 1e-6)
        assert.near(0.12 * (1 - 8 / 64), found.high, 1e-6)
        found = judged({ "excess_volume" }, with(counts, { MEM_LOAD_UOPS_RETIRED_L1_HIT = { 70 } })).excess_volume
        assert.same({ "absent", 0, 0 }, { found.answer, found.low, found.high })
    end)

    it("sees unused parts of lines by all accesses where no event counts loads from L1", function()
        local found = finding_on("zen3", "excess_volume")
        local function shares(accesses)
            -- 10 lines of L2 at 12 cycles
            local share = found { ACTUAL_CPU_CLOCK = { 1000 }, L1_DC_REFILLS_LOCAL_L2 = { 10 }, LS_DISPATCH_ALL = { accesses } }
            return { share.low, share.high }
        end
        assert.same({ 0.06, 0.105 }, shares(10)) -- of 64 bytes 32 to 8 are used
        assert.same({ 0, 0 }, shares(80)) -- stores used the lines
    end)

    -- FLOPs and vector instructions, and what they say on Zen 3; an instruction takes a cycle.
    local function by_width(pattern, threads)
        local finding = finding_on("zen3", pattern, threads)
        return function(instructions, vectors, flops, accesses)
            local own = finding { ACTUAL_CPU_CLOCK = { instructions }, RETIRED_INSTRUCTIONS = { instructions },
                LS_DISPATCH_ALL = pattern == "ineffective_instructions" and { accesses or instructions } or nil,
                RETIRED_MMX_FP_INSTR_SSE = { vectors }, RETIRED_SSE_AVX_FLOPS_ALL = { flops } }
            return { own.answer, own.low, own.high }
        end
    end

    it("bounds instruction overhead by FLOPs and vector instructions where no event counts vector operations", function()
        local found = by_width "instruction_overhead"
        assert.same({ "present", 0.5, 0.99375 }, found(1000, 100, 100)) -- 100 operations and four other instructions each; 100 / 16 FLOPs
        assert.same({ "present", 0.7, 1 - 50 / 16 / 1000 }, found(1000, 100, 50)) -- 50 operations at most
        assert.same({ "cannot say", 0, 1 - 800 / 16 / 1000 }, found(1000, 200, 800))
        assert.same({ "cannot say", 0, 1 - 8 / 16 / 1000 }, found(1000, 100, 8)) -- vectors, but hardly any of them calculates
    end)

    it("takes more vector instructions than FLOPs for scalars, up to four for each", function()
        local found = by_width "ineffective_instructions"
        assert.same({ "present", 0.1, 0.45 }, found(4000, 1200, 800)) -- for 800 FLOPs 200 vectors of four instructions are enough
        assert.same({ "cannot say", 0, 0.45 }, found(4000, 800, 800))
        assert.same({ "present", 0.6, 0.6 }, found(4000, 3200, 800))
        assert.same({ "cannot say", 0, 0.45 }, found(4000, 3201, 800)) -- vectors that do other work
        assert.same({ "present", 0.075, 0.45 }, found(4000, 1200, 800, 900)) -- 600 accesses are enough
        assert.same({ "cannot say", 0, 0.45 }, found(4000, 1200, 800, 600))
        assert.same({ "absent", 0, 0 }, found(4000, 3000, 0))
    end)

    it("counts divisions of integers with those of floating-point numbers, where two events do", function()
        local finding = finding_on("zen3", "long_latency")
        local cost = costs.read { { text = fixture.text "groups/zen3/pmu.costs", file = "c" } }
        local one, flop = cost["integer divisions"], cost["division FLOPs"]
        local function found(flops, integers)
            local own = finding { ACTUAL_CPU_CLOCK = { 1000 }, RETIRED_SSE_AVX_FLOPS_DIV = { flops }, DIV_OP_COUNT = { integers } }
            return { own.answer, own.low, own.high }
        end
        local function shares(least, most)
            return { "present", math.floor(1e6 * least / (1000 + least) + 0.5) / 1e6, math.floor(1e6 * most / (1000 + most) + 0.5) / 1e6 }
        end
        assert.same(shares(100 * one.low, 100 * one.high), found(0, 100))
        assert.same(shares(100 * (one.low + flop.low), 100 * (one.high + flop.high)), found(100, 100))
        assert.same({ "absent", 0, 0 }, found(0, 0))
    end)

    it("takes cycles of a busy divider where no event counts its work", function()
        local finding = finding_on("skylakeX", "long_latency")
        local function found(busy)
            local own = finding { CPU_CLK_UNHALTED_CORE = { 1000 }, ["ARITH_DIVIDER_ACTIVE:THRESHOLD=0x1"] = { busy } }
            return { own.answer, own.low, own.high }
        end
        assert.same({ "present", 0.2, math.floor(1e6 * 5 / 9 + 0.5) / 1e6 }, found(250)) -- 250 * 1 .. 5 cycles in 1000 and these
        assert.same({ "cannot say", 0.038462 }, { table.unpack(found(40), 1, 2) })
        assert.same({ "absent", 0, 0 }, found(0))
    end)

    it("adds to the time only what the time model leaves out", function()
        -- Locked loads have no time in the model; the lines that they take have: a turn each, at most.
        local LOCK = COSTS["locked loads"]
        local share = sharing({ "atomic_updates" }, 100, { MEM_UOPS_RETIRED_LOADS_LOCK = { 100, 100 } }).atomic_updates
        assert.near(100 * LOCK.low / (10000 + 100 * LOCK.low), share.low, 1e-6)
        assert.equal(1, share.high)
        share = sharing({ "atomic_updates" }, 2, { MEM_UOPS_RETIRED_LOADS_LOCK = { 2, 2 } }).atomic_updates
        assert.near((2 * LOCK.high + 2 * 1000) / (10000 + 2 * LOCK.high), share.high, 1e-6)
        -- and only that lowers other shares
        local both = sharing({ "false_sharing", "atomic_updates" }, 100, { MEM_UOPS_RETIRED_LOADS_LOCK = { 9, 9 } })
        assert.near(10 * MOVE / (10000 + 9 * LOCK.high), both.false_sharing.low, 1e-6)
    end)

    it("takes stores to lines that another core has for sharing where no event tells modified lines", function()
        local zen3 = fixture.machine "zen3"
        local L3 = zen3.levels[#zen3.levels].latency
        local finding = finding_on("zen3", "false_sharing", 2)
        local function found(stores, locks, mispredicted, walks)
            walks = walks or 0
            return finding { ACTUAL_CPU_CLOCK = { 10000, 10000 }, REQUESTS_TO_L2_GRP1_CHANGE_TO_X = { stores, stores },
                L1_DTLB_MISS_ANY_L2_MISS = { walks, walks },
                RETIRED_LOCK_INSTR_SPEC_LOCK_HI_SPEC = { locks, locks }, RETIRED_MISP_BRANCH_INSTR = { mispredicted, mispredicted } }
        end
        local all = found(10, 0, 0)
        assert.same({ "present", 10 * 2 * L3 / 10000, 1 }, { all.answer, all.low, all.high }) -- each at most a turn of 1000
        assert.same({ "cannot say", 0 }, { found(10, 1, 0).answer, found(10, 1, 0).low }) -- a lock may explain ten lines
        assert.near(4 * 2 * L3 / 10000, found(10, 0, 6).low, 1e-6) -- a misprediction one
        assert.same({ "cannot say", 0 }, { found(10, 0, 0, 1).answer, found(10, 0, 0, 1).low }) -- the first use of a page 64
        assert.equal("absent", found(0, 0, 0).answer) -- lines that nobody stores to are none
    end)

    it("knows where a fused multiply-add counts as two operations", function()
        local finding = finding_on("skylakeX", "alu_saturation")
        -- `operations` in 1000 cycles; an instruction takes one cycle, a fused multiply-add counts twice
        local function found(operations)
            local share = finding { CPU_CLK_UNHALTED_CORE = { 1000 }, FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE = { operations } }
            return { share.answer, share.low, share.high }
        end
        assert.same({ "present", 1, 1 }, found(2 * 1000))
        assert.same({ "present", 2 * 0.75 - 1, 1 }, found(2 * 750))
        assert.same({ "cannot say", 0, 0.8 }, found(2 * 400)) -- or 800 operations that are not fused
        assert.same({ "present", 1, 1 }, found(2 * 1500)) -- more than the units can do: at most the whole time
    end)

    it("lists what is present first, the largest share first, then what is absent", function()
        local _, findings = judged({ "control_flow", "long_latency", "store_forwarding", "false_sharing", "sparse_indirection" }, with(
            cycles { 1000 }, { ARITH_DIVIDER_UOPS = { 100 }, BR_MISP_RETIRED_ALL_BRANCHES = { 20 }, LD_BLOCKS_STORE_FORWARD = { 0 } }))
        assert.same({ "long_latency", "control_flow", "false_sharing", "store_forwarding", "sparse_indirection" },
            lists.map(findings, "pattern"))
    end)
end)

describe("rates of regions", function()
    -- By the record (record_with) the clock is 1 MHz, and a core's peak 1 MFLOP/s.
    local COUNTS = { INSTR_RETIRED_ANY = { 1000, 2000 }, CPU_CLK_UNHALTED_CORE = { 1000, 2000 }, CPU_CLK_UNHALTED_REF = { 1000, 2000 },
        AVX_INSTS_CALC = { 100, 300 }, ["OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x01B3:MATCH1=0x63FC0"] = { 10, 30 },
        CAS_COUNT_RD = { 40 }, CAS_COUNT_WR = { 10 } }

    it("add up threads and sockets, over the longest thread", function()
        -- 2000 cycles are 2 ms; 400 * 4 FLOPs, 50 lines through the controllers, 40 of them read by the cores
        local _, _, found = judged({}, COUNTS)
        assert.same({ 0, 2, 2000 }, { found[1].region, found[1].threads, found[1].cycles })
        assert.near(1600 / (50 * 64), found[1].intensity, 1e-9)
        assert.near(1600 / 2e-3 / 1e6, found[1].performance, 1e-9)
        assert.near(40 * 64 / 2e-3 / 1e6, found[1].read, 1e-9)
        -- 200 cycles a line of a core, four cores: 64 bytes in 50 cycles of 1 us
        assert.same({ performance = 2, bandwidth = 64 / 50 }, found[1].roofs)
    end)

    it("are absent if a thread's count is, or no metric is validated", function()
        local _, _, found = judged({}, with(with({}, COUNTS), { AVX_INSTS_CALC = { 100 } }))
        assert.same({}, { found[1].intensity, found[1].performance })
        _, _, found = judged({}, with(with({}, COUNTS), { CPU_CLK_UNHALTED_CORE = { 1000 } }))
        assert.same({}, { table.unpack(found) })
        local wanted = candidates({}, { record = record_with "rejected" })
        assert.same({}, wanted.rates.terms)
        assert.same({}, { table.unpack(judge.judge({ candidates = {}, line_cycles = {}, rates = wanted.rates, node = node_of(4),
            limit = 0.05, counted = counted(COUNTS) }).rates) })
    end)
end)

describe("a diagnosis on several numbers of cores", function()
    local function step(cores, cycles_, low)
        return { cores = cores, regions = { "loop" }, rates = { { region = 0, threads = cores, cycles = cycles_, read = 100 * cores,
            roofs = {} } }, findings = { { pattern = "load_imbalance", answer = "absent",
            regions = { { region = 0, low = low, high = low } } }, { pattern = "control_flow", answer = "absent", regions = {} } } }
    end
    local record = setmetatable({ system = { {}, {}, {}, {} }, scale = { step(1, 4000, 0), step(2, 2500, 0.125) } },
        { __index = step(4, 2000, 0.25) })

    it("has a speed-up, and the shares of saturation and imbalance", function()
        assert.same({ "scaling of region loop:",
            "    cores  cycles  speed-up  efficiency  MB/s read  load imbalance",
            "        1    4000      1.00       100 %        100        0 .. 0 %",
            "        2    2500      1.60        80 %        200      12 .. 12 %",
            "        4    2000      2.00        50 %        400      25 .. 25 %" }, scaling.lines(record))
        assert.same({}, scaling.lines(step(4, 2000, 0)))
    end)

    it("is drawn next to the ideal speed-up", function()
        local svg = scaling.drawings(record)[1]
        local function heights(class)
            local list = {}
            for y in svg:match('class="' .. class .. ' c1" points="([^"]*)"'):gmatch ",([%d.]+)" do
                list[#list + 1] = tonumber(y)
            end
            return list
        end
        local real, ideal = heights "line", heights "naive"
        assert.equal(real[1], ideal[1]) -- 1
        assert.equal(real[3], ideal[2]) -- 2
        assert.near(2 * (real[1] - real[2]), 1.2 * (ideal[1] - ideal[2]), 0.4) -- 0.6 of 1
    end)
end)

describe("a diagnosis as text", function()
    it("begins with what was found, its events and the advice", function()
        local _, findings = judged({ "control_flow", "sparse_indirection" }, with(cycles { 1000, 1000 },
            { BR_MISP_RETIRED_ALL_BRANCHES = { 20, 10 } }))
        local record = { findings = findings, limit = 0.05, regions = { "loop" }, node = { kind = "virtual" }, evidence = "r.json",
            system = counted(cycles { 1, 1 }).system }
        local lines = {}
        for line in report.render({ record = record, width = 200 }).text:gmatch "[^\n]+" do
            lines[#lines + 1] = line
        end
        assert.equal("Control-flow issues can explain 30 % of the run time (region loop, thread 0.0; others from 15 %)", lines[1])
        assert.matches("^    20 mispredicted branches at 15 cycles %(Mispredicted branches of ASSAY_BRANCH, validated: BR_MISP", lines[3])
        assert.equal("cannot say:", lines[#lines - 3])
        assert.equal("    Sparse indirection: no share of the run time is defined for it", lines[#lines - 2])
        assert.equal("verdicts: r.json", lines[#lines])
    end)

    it("says that nothing was found", function()
        local record = { findings = {}, limit = 0.05, node = { kind = "native" }, evidence = "r.json" }
        local text = report.render({ record = record, width = 90 }).text
        assert.equal("no pattern is seen to explain 5 % of the run time\nverdicts: r.json\n", text)
    end)
end)
