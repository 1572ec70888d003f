-- domain_spec.lua - plans and samples on a node with several last-level domains, and what an architecture cannot show.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"
local machines = require "machines"
local placement = require "plan.placement"
local plan = require "plan.plan"
local quantity = require "plan.quantity"
local samples = require "read.samples"
local schema = require "input.schema"
local units = require "plan.units"

local machine, groups = machines.victim(), machines.groups()

-- Streams in two levels, at all places.
local function stream_pattern()
    return schema.pattern { file = "p.lua", text = [[
        return pattern {
            name = "p", title = "P", class = "work",
            codes = { code { name = "copy", kernel = "copy" }, code { name = "wide", kernel = "wide" } },
            levels = {
                level { name = "L2", boundaries = { "L1-L2" }, placements = { "core" }, points = 1, points_quick = 1, interval_pct = 1 },
                level { name = "L3", boundaries = { "L2-L3" }, placements = { "core", "domain", "socket" }, points = 1, points_quick = 1,
                    interval_pct = 1 },
                level { name = "MEM", boundaries = { "L3-MEM" }, placements = { "core", "domain", "socket" }, points = 1,
                    points_quick = 1, interval_pct = 1 },
            },
            controls = { present = control { level = "MEM", placement = "socket" }, absent = control { level = "L2" } },
        }]] }
end

local function make(pattern, node, of)
    local kernels = fixture.kernels()
    kernels.wide = { name = "wide", refused = "it is of vectors that the processor has not" }
    return plan.make({ patterns = { pattern }, machine = of or machine, node = node, kernels = kernels, groups = groups, options = {} })[1]
end

local function jobs_by_id(result)
    return lists.index(result.jobs, "id")
end

local function reasons(result)
    return lists.collect(result.skipped, "reason")
end

describe("placements", function()
    local function name(word, ...)
        local found, reason = placement.expand(word, machines.node(machine, ...))
        return found and found.name .. " " .. table.concat(found.cpus, ",") or reason
    end

    it("have LIKWID's numbers of sockets and domains, which also counts those without usable CPUs", function()
        local node = machines.node(machine, 2, 2, 4)
        local function only(sockets, domains)
            local part = setmetatable({ socket_numbers = sockets, domain_numbers = domains, left_out = { "CPU 0: offline" } },
                { __index = node })
            part.cpus_by_socket = { table.unpack(node.cpus_by_socket, 3 - #sockets) }
            part.cpus_by_domain = { table.unpack(node.cpus_by_domain, 5 - #domains) }
            return part
        end
        local second, both = only({ 1 }, { 2, 3 }), only({ 4, 6 }, { 9, 10, 12, 13 })
        assert.equal("S1:1", placement.expand("core", second).name)
        assert.equal("S1:8", placement.expand("socket", second).name)
        assert.equal("C2:4", placement.expand("domain", second).name)
        assert.equal("S4:1@S6:1", placement.expand("across", both).name)
    end)

    it("are cores, pairs in one last-level domain, domains, sockets", function()
        assert.equal("S0:1 0", name("core", 2, 2, 4))
        assert.equal("S0:2 0,1", name("pair", 2, 2, 4))
        assert.equal("C0:4 0,1,2,3", name("domain", 2, 2, 4))
        assert.equal("S0:8 0,1,2,3,4,5,6,7", name("socket", 2, 2, 4))
        assert.equal("S0:1@S1:1 0,8", name("across", 2, 2, 4))
    end)

    it("have a pair in any last-level domain with two usable cores", function()
        local node = machines.node(machine, 1, 2, 4)
        local function pair(domains)
            local all = lists.flat(domains, function(cpus) return cpus end)
            local part = setmetatable({ cpus_by_domain = domains, cpus_by_socket = { all } }, { __index = node })
            local found, reason = placement.expand("pair", part)
            return found and found.name .. " " .. table.concat(found.cpus, ",") or reason
        end
        assert.equal("C1:2 4,6", pair { { 1 }, { 4, 6, 7 } })
        assert.equal("S0:2 1,2", pair { { 1, 2 }, { 4, 6, 7 } })
        assert.equal("a last-level domain has one core, two are needed", pair { { 1 }, { 4 } })
        assert.is_true(placement.is_called("C1:2", "pair"))
    end)

    it("have a reason if several sockets cannot be measured at once", function()
        local node = setmetatable({ separate = "its message" }, { __index = machines.node(machine, 2, 1, 4) })
        assert.equal("LIKWID can measure each socket alone only: its message", select(2, placement.expand("across", node)))
        assert.equal("S0:1", placement.expand("core", node).name)
    end)

    it("have a reason if there are none; a domain that is the whole socket has the socket's name", function()
        assert.is_nil(name("domain", 2, 1, 4))
        assert.equal("a last-level domain has one core: the same as S0:1", name("domain", 1, 2, 1))
        assert.equal("a last-level domain has one core, two are needed", name("pair", 1, 2, 1))
        assert.equal("a socket has one core, two are needed", name("pair", 1, 1, 1))
    end)

    it("have names", function()
        local words = { core = "S0:1", pair = "S0:2", domain = "C0:8", socket = "S0:4", across = "S0:1@S1:1" }
        for word, own in pairs(words) do
            assert.is_true(placement.is_called(own, word))
            for other in pairs(words) do
                local is_either = own:find "^S0:[24]$" and other == "socket"
                assert.equal(other == word or is_either and true or false, placement.is_called(own, other), own .. " " .. other)
            end
        end
        assert.is_false(placement.is_called("S0:1", "socket"))
        assert.is_false(placement.is_called("S0:1", "S0:1"))
    end)
end)

describe("units", function()
    local node = machines.node(machine, 2, 2, 4)

    it("are shown by their first thread, and count only their own threads", function()
        assert.same({ { cpu = 0, cpus = { 0, 1 }, thread = 0 }, { cpu = 4, cpus = { 4 }, thread = 2 } },
            units.of(node, "domain", { 0, 1, 4 }))
        assert.same({ { cpu = 0, cpus = { 0, 1, 4 }, thread = 0 } }, units.of(node, "socket", { 0, 1, 4 }))
        assert.same({ { cpu = 0, cpus = { 0 }, thread = 0 }, { cpu = 8, cpus = { 8 }, thread = 1 } }, units.of(node, "socket", { 0, 8 }))
        assert.equal(3, #units.of(node, "core", { 0, 1, 4 }))
        assert.has_error(function() units.of(node, "domain", { 99 }) end, "node victim: no domain has CPU 99")
    end)
end)

describe("a plan", function()
    it("places jobs on domains that are smaller than a socket, and gives reasons for what it skips", function()
        local result = make(stream_pattern(), machines.node(machine, 1, 2, 4))
        local ids = {}
        for id in pairs(jobs_by_id(result)) do
            ids[#ids + 1] = id
        end
        table.sort(ids)
        assert.same({ "p.L2.S0:1.1", "p.L3.C0:4.1", "p.L3.S0:1.1", "p.L3.S0:8.1", "p.MEM.C0:4.1", "p.MEM.S0:1.1",
            "p.MEM.S0:8.1" }, ids)
        assert.same({
            "L1-L2 evict (TWO): no event for L1's victims", "L1-L2 total (TWO): no event for L1's victims",
            "kernel wide: it is of vectors that the processor has not", "L2-L3 evict (THREE): one direction",
            "L2-L3 total (THREE): one direction", "kernel wide: it is of vectors that the processor has not",
            "kernel wide: it is of vectors that the processor has not", "kernel wide: it is of vectors that the processor has not",
            "kernel wide: it is of vectors that the processor has not", "kernel wide: it is of vectors that the processor has not",
            "kernel wide: it is of vectors that the processor has not",
        }, reasons(result))
        assert.equal(4, #jobs_by_id(make(stream_pattern(), machines.node(machine, 1, 1, 4)))["p.MEM.S0:4.1"].cpus)
    end)

    it("measures channels in several runs if counters are few, each run with its share", function()
        local job = jobs_by_id(make(stream_pattern(), machines.node(machine, 1, 2, 4)))["p.MEM.S0:8.1"]
        assert.equal(2, #job.runs)
        assert.same({ "channels 0-3", "channels 4-7" }, { job.quantities[1].metric, job.quantities[2].metric })
        assert.same({ 4, 8, "volume" }, { job.quantities[1].seen, job.quantities[1].boxes, job.quantities[1].kind })
    end)

    it("leaves out channels if a socket has several NUMA domains: lines lie in the channels of only one", function()
        local own, node = machines.victim(), machines.node(machine, 2, 2, 4)
        own.one_numa = { "FIRST", "SECOND" }
        assert.is_table(jobs_by_id(make(stream_pattern(), node, own))["p.MEM.S0:8.1"])
        node.numa_domains = 8
        local result = make(stream_pattern(), node, own)
        assert.is_nil(jobs_by_id(result)["p.MEM.S0:8.1"])
        local why = "L3-MEM total (FIRST): right only where a socket is one NUMA domain, not 4 (NPS4)"
        assert.truthy(table.concat(reasons(result), "\n"):find(why, 1, true))
    end)

    it("skips a level if no group shows its boundary", function()
        local blind = machines.victim()
        blind.cannot[2] = { quantity = "L3-MEM", reason = "the fabric's counters are locked" }
        table.remove(blind.traffic, 4)
        table.remove(blind.traffic, 3)
        local result = make(stream_pattern(), machines.node(machine, 1, 1, 4), blind)
        assert.equal(3, #result.jobs) -- L2 and L3 on a core, L3 on the socket, which is one domain
        assert.equal("L3-MEM: the fabric's counters are locked", result.skipped[#result.skipped].reason)
    end)
end)

describe("what an architecture cannot show", function()
    it("is named with the reason of the machine file", function()
        assert.equal("AVX operations: widths are not told apart", quantity.why_none(machine, "AVX operations", {}))
        assert.equal("L1-L2 total volume: no event for L1's victims", quantity.why_none(machine, "L1-L2 total volume", {}))
        assert.equal("no group of victim shows snow", quantity.why_none(machine, "snow", {}))
        assert.equal("no group of victim shows L2-L3 data reads", quantity.why_none(machine, "L2-L3 data reads", {}))
    end)

    it("is skipped in patterns with models, like quantities without an expectation", function()
        local pattern = schema.pattern { file = "q.lua", text = [[
            return pattern {
                name = "q", title = "Q", class = "work", codes = { code { name = "c" } }, parameters = { "n" },
                placements = { "core", "domain", "socket" }, points = { point { n = 1 }, point { n = 2 } },
                quantities = {
                    quantity { name = "AVX operations", expect = function() return 1 end },
                    quantity { name = "FLOPs", expect = function() return { none = "not with this cache" } end },
                    quantity { name = "L2-L3 load volume", expect = function(at) return at.threads * 1e9 end },
                },
            }]] }
        local result = make(pattern, machines.node(machine, 1, 2, 4))
        assert.same({ "AVX operations: widths are not told apart", "FLOPs: not with this cache" }, reasons(result))
        -- a domain's quantity is expected once per domain, for the threads in it
        local expected = {}
        for _, job in ipairs(result.jobs) do
            expected[job.placement] = job.points[1].expected["L3 volume"]
        end
        local function exactly(value)
            return { min = value, value = value, max = value }
        end
        assert.same({ ["S0:1"] = { ["0"] = exactly(1) }, ["C0:4"] = { ["0"] = exactly(4) },
            ["S0:8"] = { ["0"] = exactly(4), ["4"] = exactly(4) } }, expected)
    end)
end)

describe("samples", function()
    local node = machines.node(machine, 1, 2, 4)

    local function read(job_id, run_index, count)
        local job = jobs_by_id(make(stream_pattern(), node))[job_id]
        local run, rows = job.runs[run_index], {}
        for _, cpu in ipairs(job.cpus) do
            local counts = {}
            for _, event in ipairs(run.events) do
                counts[event.counter] = count
            end
            rows[#rows + 1] = { cpu = cpu, seconds = 1, calls = 1, counts = counts, absent = {} }
        end
        return samples.read { machine = machine, node = node, kernels = fixture.kernels(), groups = groups, job = job, run = run, rep = 1,
            regions = { [job.points[1].region] = rows } }, job.points[1]
    end

    -- Without differences.
    local function whole(list)
        return lists.collect(list, function(sample) return not sample.point:find "%.difference$" and sample end)
    end

    local LINES = 2 * 64 -- bytes that a thread's sweep uses in addition to its streams

    it("of a domain's quantity are one per domain, for its threads", function()
        local list, point = read("p.L3.C0:4.1", 1, 10)
        local of_domain, of_core = {}, {}
        for _, sample in ipairs(whole(list)) do
            table.insert(sample.metric == "L3 volume" and of_domain or sample.metric == "clean victims" and of_core or {}, sample)
        end
        assert.equal(1, #of_domain)
        assert.equal(4, #of_core)
        -- two streams, loaded by four threads
        assert.near(4 * (2 * point.elements * 8 + LINES) * point.passes * 1e-9, of_domain[1].expected.value, 1e-12)
        assert.equal(0, of_core[1].expected.value) -- written once and never in memory: modified
    end)

    it("of several domains count the threads of each", function()
        local list, point = read("p.L3.S0:8.1", 1, 10)
        local of_domain = {}
        for _, sample in ipairs(whole(list)) do
            of_domain[sample.metric == "L3 volume" and sample.thread] = sample
        end
        of_domain[false] = nil
        for _, cpu in ipairs { 0, 4 } do
            local expected = of_domain[cpu].expected
            assert.near(4 * (2 * point.elements * 8 + LINES) * point.passes * 1e-9, expected.value, 1e-12)
            -- what four L1 and L2 keep of the streams, and of the lines of a sweep
            local kept = 4 * 557056 * (1 + LINES / (2 * point.elements * 8))
            assert.near(kept * 1e-9, expected.max - expected.min, 1e-12)
            of_domain[cpu] = nil
        end
        assert.is_nil(next(of_domain))
    end)

    it("of a share of the channels are judged by that share", function()
        local list, point = read("p.MEM.S0:8.1", 2, 10)
        list = whole(list)
        assert.equal(1, #list)
        assert.equal("channels 4-7", list[1].metric)
        -- copy: two streams in, one out; the sweep's own lines: both are read, the modified one is written
        local bytes = 8 * (point.elements * 8 * 3 + LINES + 64) * point.passes
        assert.near(bytes / 2 * 1e-9, list[1].expected.value, 1e-12)
        assert.near(8 * 2 * point.elements * 8 * point.passes / 2 * 1e-9, list[1].work, 1e-12)
        assert.near(40 * 64e-9, list[1].measured, 1e-15)
    end)

    it("wrap at the width of their counters", function()
        local first = read("p.L3.S0:1.1", 1, 2 ^ 47)
        assert.equal("wrapped", first[1].why)
        local wide = machines.victim()
        for _, box in ipairs(wide.counters) do
            box.bits = 64
        end
        machine = wide
        local second = read("p.L3.S0:1.1", 1, 2 ^ 47)
        machine = machines.victim()
        assert.near(2 ^ 47 * 64e-9, second[1].measured, 1)
    end)
end)
