-- A user's program: its cores, its runs under LIKWID, and the counts read from these runs.
local cores = require "plan.cores"
local group_file = require "input.group"
local lists = require "input.lists"
local program = require "program.plan.program"
local program_counts = require "program.read.program_counts"

local NODE = { name = "n", kind = "native", counters = 3, smt = 1, sockets = 2, cores_per_socket = 2, numa_domains = 2,
    caches = { { size_bytes = 1 } }, cpus_by_socket = { { 0, 1 }, { 2, 3 } }, cpus_by_domain = { { 0, 1 }, { 2, 3 } } }

local function machine(more)
    local made = { arch = "testArch", probe = { counter = "FIXC0", event = "INSTR" }, counters = {
        { name = "FIXC", count = 2, bits = 48, fixed = true },
        { name = "PMC", count = 2, without_smt = 3, bits = 48, with = { FLOPS = "MERGE" }, only = { FLOPS = { 1 }, MERGE = { 2 } } },
        { name = "MBOX", boxes = 2, count = 2, bits = 48 },
        { name = "CPMC", count = 2, bits = 48, shared_by = "domain" },
    } }
    return lists.merge(made, more)
end

local LIST = {
    { event = "INSTR", counters = "FIXC0" }, { event = "CYCLES", counters = "FIXC1" }, { event = "FLOPS", counters = "PMC" },
    { event = "MERGE", counters = "PMC" }, { event = "READS", counters = "MBOX" }, { event = "ELSEWHERE", counters = "XBOX" },
    { event = "L3", counters = "CPMC" }, { event = "BOUND", counters = "PMC1" },
}
for i = 1, 6 do
    LIST[#LIST + 1] = { event = "E" .. i, counters = "PMC" }
end

local function want(...)
    local events = lists.map({ ... }, function(name) return { event = name, options = "" } end)
    return { name = (...), events = events }
end

local function plan(wants, more)
    local argument = { wants = wants, machine = machine(), node = NODE, list = LIST, command = { "prog" }, ranks = { { 0, 1 } } }
    lists.merge(argument, more)
    return program.plan(argument)
end

local function lines_of(run)
    local parsed, found = group_file.parse { text = run.text, file = "run" }, {}
    for i, event in ipairs(parsed.events) do
        found[i] = event.name .. " " .. event.event
    end
    return found
end

describe("the cores of a program", function()
    local function deal(text, ranks, threads, node)
        local dealt = cores.deal { node = node or NODE, text = text, ranks = ranks, threads = threads or 1 }
        local lines = lists.map(dealt, function(cpus) return table.concat(cpus, ",") end)
        return table.concat(lines, " ")
    end

    it("are the first ones, one per thread of each process", function()
        assert.same({ "0", "0,1", "0 1", "0,1 2,3" }, { deal(nil, 1), deal(nil, 1, 2), deal(nil, 2), deal(nil, 2, 2) })
    end)

    it("are those of the given list, in its order", function()
        assert.same({ "3,0,1", "3 1", "1,2 3,0" }, { deal("3,0-1", 1), deal("3,1", 2), deal("1-3,0", 2) })
    end)

    it("are refused if the node lacks them, or if they cannot be divided evenly", function()
        for text, message in pairs {
            ["4"] = "--cores 4: node n has no core 4; it has 4",
            ["0,0"] = "--cores 0,0: core 0 is named twice",
            ["x"] = "--cores x: 'x' is no core and no range of cores; a list is '0-3,8'",
            ["2-1"] = "--cores 2-1: '2-1' is no core and no range of cores; a list is '0-3,8'",
            ["0-2"] = "--cores 0-2: 3 cores cannot be dealt out evenly to 2 processes",
        } do
            assert.has_error(function() deal(text, 2) end, message)
        end
        assert.has_error(function() deal(nil, 3, 2) end,
            "3 processes of 2 threads need 6 cores, node n has 4; name fewer with --ranks, or --cores")
    end)

    it("may be second hardware threads, which belong to their cores' sockets; none is chosen by default", function()
        local smt = setmetatable({ smt = 2, siblings = { { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } } }, { __index = NODE })
        assert.same({ "0,4", "6 7", "0,1" }, { deal("0,4", 1, 1, smt), deal("6,7", 2, 1, smt), deal(nil, 1, 2, smt) })
        assert.has_error(function() deal("8", 1, 1, smt) end, "--cores 8: node n has no core 8; it has 4")
        local part = setmetatable({ siblings = { { 0, 4 }, { 1 }, { 2, 6 } }, left_out = { "CPU 3,5,7: offline" } }, { __index = NODE })
        assert.has_error(function() deal("5", 1, 1, part) end,
            "--cores 5: node n has no core 5 that may be used (CPU 3,5,7: offline); it has 4")
        assert.same({ 2, 3, 9 }, { cores.first_of(smt, 6), cores.first_of(smt, 3), cores.first_of(smt, 9) })
        local ranks = plan({ want("READS", "E1") }, { node = smt, ranks = { { 0 }, { 5 }, { 6 } } }).jobs[1].ranks
        assert.same({ false, true, false }, { ranks[1].is_beside, ranks[2].is_beside, ranks[3].is_beside })
    end)
end)

describe("the runs of a program", function()
    it("all have the witness and the requested events of fixed counters", function()
        local made = plan { want("E1", "E2"), want("E3", "E4"), want "CYCLES" }
        local runs = made.jobs[1].runs
        assert.equal(2, #runs)
        for _, run in ipairs(runs) do
            local lines = lines_of(run)
            assert.same({ "FIXC0 INSTR", "FIXC1 CYCLES" }, { lines[1], lines[2] })
        end
        assert.same({ "ASSAY_SET_001", "ASSAY_SET_002" }, { runs[1].name, runs[2].name })
    end)

    it("use as many counters as the node has: more without hardware threads", function()
        local wants = { want("E1", "E2", "E3") }
        assert.equal(1, #plan(wants).jobs[1].runs)
        -- two hardware threads per core; or one, because the others are off but keep their counters
        for key, value in pairs { smt = 2, counters = 2 } do
            local made = plan(wants, { node = setmetatable({ [key] = value }, { __index = NODE }) })
            assert.same({ 2, "E1" }, { #made.jobs[1].runs, made.split[1] })
        end
        local virtual = setmetatable({ kind = "virtual", counters = 0 }, { __index = NODE })
        local large = machine { processor = { perfmon = { counters = 3 } } }
        assert.equal(1, #plan(wants, { node = virtual, machine = large }).jobs[1].runs)
    end)

    it("count an event of boxes in each box", function()
        local made = plan { want "READS" }
        assert.same({ "FIXC0 INSTR", "MBOX0C0 READS", "MBOX1C0 READS" }, lines_of(made.jobs[1].runs[1]))
        assert.equal("socket", made.events[2].scope)
    end)

    it("have the auxiliary event that an event needs", function()
        assert.same({ "FIXC0 INSTR", "PMC1 FLOPS", "PMC2 MERGE" }, lines_of(plan({ want "FLOPS" }).jobs[1].runs[1]))
    end)

    it("leave out events that the node lacks, with the reason", function()
        local made = plan { want("E1", "NOTHING"), want "ELSEWHERE" }
        assert.same({ "FIXC0 INSTR", "PMC0 E1" }, lines_of(made.jobs[1].runs[1]))
        assert.same({ "NOTHING", "ELSEWHERE" }, { made.absent[1].event, made.absent[2].event })
        assert.equal("LIKWID counts it on XBOX, which this node has not", made.absent[2].reason)
    end)

    it("count a socket's events for only one of its processes", function()
        local made = plan({ want("READS", "E1") }, { ranks = { { 0 }, { 1 }, { 2 } } })
        local job = made.jobs[1]
        assert.same({ false, true, false }, { job.ranks[1].is_beside, job.ranks[2].is_beside, job.ranks[3].is_beside })
        assert.same({ "FIXC0 INSTR", "PMC0 E1" }, lines_of(job.runs[1].beside))
    end)

    it("have one more with other turns, which counts the witness alone", function()
        local runs = plan({ want "E1", { name = "waits", turn = 500, events = {} } }).jobs[1].runs
        assert.same({ 2, { "FIXC0 INSTR" } }, { #runs, lines_of(runs[2]) })
        assert.is_nil(runs[1].turn)
        assert.equal(500, runs[2].turn)
    end)

    it("measure the witness if nothing else is requested", function()
        assert.same({ "FIXC0 INSTR" }, lines_of(plan({}).jobs[1].runs[1]))
    end)
end)

-- A row of a run: counts by counter
local function row(cpu, counts, absent)
    return { cpu = cpu, seconds = 1, calls = 1, counts = counts, absent = absent or {} }
end

local function read(made, results, more)
    local argument = { plan = made, results = results, reps = 1, machine = machine(), node = NODE }
    lists.merge(argument, more)
    return program_counts.read(argument)
end

local function counts_of(read_counts)
    local found = {}
    for _, one in ipairs(read_counts.counts) do
        local key = ("%s%s %d"):format(read_counts.regions[one.region + 1], one.event, one.leaf)
        found[key] = table.concat(one.values, " ")
    end
    return found
end

describe("the counts of a program", function()
    it("are those of each thread, over all boxes of its socket", function()
        local made = plan({ want("READS", "E1") }, { ranks = { { 0, 1, 2 } } })
        local result = { status = 0, seconds = 1, ranks = { { [""] = {
            row(0, { FIXC0 = 100, PMC0 = 7, MBOX0C0 = 3, MBOX1C0 = 4 }),
            row(1, { FIXC0 = 101, PMC0 = 8, MBOX0C0 = 0, MBOX1C0 = 0 }),
            row(2, { FIXC0 = 102, PMC0 = 9, MBOX0C0 = 5, MBOX1C0 = 6 }),
        } } } }
        local found = read(made, { ["program/ASSAY_SET_001/1"] = result })
        assert.same({ ["INSTR 0"] = "100", ["INSTR 1"] = "101", ["INSTR 2"] = "102", ["E1 0"] = "7", ["E1 1"] = "8", ["E1 2"] = "9",
            ["READS 0"] = "7", ["READS 2"] = "11" }, counts_of(found))
        assert.same({ process = 0, thread = 2, core = 2, host = "n" }, found.system[3])
    end)

    it("of an event in several runs are equal", function()
        local made = plan { want("E1", "E2"), want("E3", "E4"), want "CYCLES" }
        local function result(instructions, cycles)
            local counts = { FIXC0 = instructions, FIXC1 = cycles, PMC0 = 1, PMC1 = 2 }
            return { status = 0, seconds = 1, ranks = { { p = { row(0, counts) } } } }
        end
        local found = read(made, { ["program/ASSAY_SET_001/1"] = result(1e6, 5), ["program/ASSAY_SET_002/1"] = result(1.5e6, 6) })
        assert.same({ "5 6", "1000000.0 1500000.0" }, { counts_of(found)["pCYCLES 0"], counts_of(found)["pINSTR 0"] })
        assert.is_false(found.witness[1].steady)
        assert.matches("^the program differs from run to run.*INSTR 1000000 to 1500000 in region p, process 0, thread 0$",
            found.messages[1])
    end)

    it("with other turns are apart from the others", function()
        local made = plan { want "E1", { name = "waits", turn = 500, events = {} } }
        local function result(instructions)
            return { status = 0, seconds = 1, ranks = { { p = { row(0, { FIXC0 = instructions, PMC0 = 1 }) } } } }
        end
        local results = { ["program/ASSAY_SET_001/1"] = result(2e6), ["program/ASSAY_SET_002/1"] = result(1e6) }
        local found = read(made, results)
        assert.same({ ["pINSTR 0"] = "2000000.0", ["pE1 0"] = "1" }, counts_of(found))
        assert.same({ { region = 0, leaf = 0, event = "INSTR", values = { 1e6 } } }, found.turned)
        assert.same({ {}, 500 }, { found.messages, found.runs[2].turn })
        results["program/ASSAY_SET_002/1"] = nil
        assert.is_nil(read(made, results).turned)
    end)

    it("with other turns are of the events that are wanted there as well", function()
        local wanted = want("E1", "E1")
        wanted.name, wanted.turn = "waits", 500
        local made = plan { want("E1", "E2"), wanted }
        assert.equal(2, #made.jobs[1].runs[2].events) -- the witness and E1
        local function result(first)
            return { status = 0, seconds = 1, ranks = { { p = { row(0, { FIXC0 = 2e6, PMC0 = first, PMC1 = 7 }) } } } }
        end
        local found = read(made, { ["program/ASSAY_SET_001/1"] = result(1), ["program/ASSAY_SET_002/1"] = result(2) })
        assert.same({ ["pINSTR 0"] = "2000000.0", ["pE1 0"] = "1", ["pE2 0"] = "7" }, counts_of(found))
        assert.same({ ["pINSTR 0"] = "2000000.0", ["pE1 0"] = "2" }, counts_of({ counts = found.turned_counts, regions = found.regions }))
        assert.equal(1, #found.turned)
    end)

    it("may differ by the cost of measuring and by 1 % without a message", function()
        assert.is_true(program_counts.is_steady { 1e6, 1.011e6 })
        assert.is_false(program_counts.is_steady { 1e6, 1.02e6 })
        assert.is_true(program_counts.is_steady { 100, 2000 })
    end)

    it("are absent, not 0, if LIKWID shows no count", function()
        local made = plan { want "E1", want "E2" }
        local result = { status = 0, seconds = 1, not_counted = { PMC1 = "0x1:0x2 event is not modelled" },
            ranks = { { [""] = { row(0, { FIXC0 = 1, PMC1 = 5 }, { PMC0 = "dash" }) } } } }
        local found = read(made, { ["program/ASSAY_SET_001/1"] = result })
        assert.same({ ["INSTR 0"] = "1" }, counts_of(found))
        assert.same({ "E1 has no value: dash", "E2 has no value: 0x1:0x2 event is not modelled" }, { table.unpack(found.messages) })
    end)

    it("are absent for a thread that never entered a region", function()
        local made = plan({ want "E1" }, { ranks = { { 0, 1 } } })
        local idle = row(1, { FIXC0 = 0, PMC0 = 0 })
        idle.calls = 0
        local found = read(made, { ["program/ASSAY_SET_001/1"] = { status = 0, seconds = 1,
            ranks = { { p = { row(0, { FIXC0 = 9, PMC0 = 5 }), idle } } } } })
        assert.same({ ["pINSTR 0"] = "9", ["pE1 0"] = "5" }, counts_of(found))
    end)

    it("are separate for each process", function()
        local made = plan({ want "E1" }, { ranks = { { 0 }, { 2 } } })
        local result = { status = 0, seconds = 1, ranks = { { [""] = { row(0, { FIXC0 = 1, PMC0 = 5 }) } },
            { [""] = { row(2, { FIXC0 = 2, PMC0 = 6 }) } } } }
        local found = read(made, { ["program/ASSAY_SET_001/1"] = result })
        assert.same({ ["INSTR 0"] = "1", ["INSTR 1"] = "2", ["E1 0"] = "5", ["E1 1"] = "6" }, counts_of(found))
        assert.same({ 1, 0, 2 }, { found.system[2].process, found.system[2].thread, found.system[2].core })
    end)

    it("of a last-level domain belong to its first thread; auxiliary events belong to no thread", function()
        local made = plan({ want("L3", "FLOPS") }, { ranks = { { 0, 1 } } })
        local counts = { FIXC0 = 1, CPMC0 = 5, PMC1 = 6, PMC2 = 7 }
        local found = read(made, { ["program/ASSAY_SET_001/1"] = { status = 0, seconds = 1,
            ranks = { { [""] = { row(0, counts), row(1, counts) } } } } })
        assert.same({ ["INSTR 0"] = "1", ["INSTR 1"] = "1", ["L3 0"] = "5", ["FLOPS 0"] = "6", ["FLOPS 1"] = "6" }, counts_of(found))
    end)

    it("of a failed run are a failure; the program's exit status is a message", function()
        local made = plan { want "E1" }
        local found = read(made, { ["program/ASSAY_SET_001/1"] = { status = 139, why = "exit status 139", command = "c", messages = "m" } })
        assert.same({ "c", 139, "exit status 139: m" }, { found.failures[1].command, found.failures[1].status,
            found.failures[1].stderr_tail })
        assert.same({}, counts_of(found))
        found = read(made, { ["program/ASSAY_SET_001/1"] = { status = 2, seconds = 1, messages = "gzip: no\n", ranks = { {} } } })
        assert.same({ "the program ended with status 2: gzip: no" }, { table.unpack(found.messages) })
        assert.equal(0, #found.failures)
    end)
end)
