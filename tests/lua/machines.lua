-- machines.lua - unusual machines that do not exist, and nodes of them, to test what models and plans must not assume.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- `inclusive` is a last level that one socket shares; `victim` has several last-level domains a socket, filled by what L2 gives up, groups
-- that show one direction only, channels in two groups, and quantities that it cannot count.
local fixture = require "fixture"
local group = require "input.group"
local schema = require "input.schema"

local machines = {}

local PROCESSOR = [[
    processor = processor {
        vendor = "AuthenticAMD", cpu = "a processor", signature = 1, physical_bits = 40, page = 4096, line = 64,
        clock_hz = 1000000000, uncore_hz = 1000000000, instructions_per_cycle_x4 = 4, branch_penalty = 10, walk_latency = 20,
        dtlb = tlb { entries = 64, ways = 4 }, itlb = tlb { entries = 64, ways = 4 }, stlb = tlb { entries = 512, ways = 4 },
        memory_bytes = 1 << 30, channels = 8, home_agents = 0, memory_latency = 100, remote_latency = 200, links = 1,
        shape = "1x4", sockets = { 1, 2 }, max_cores = 16,
    },
]]

local L1 = [[
        level { name = "L1I", kind = "instructions", size = 32768, ways = 8, latency = 0, cores = 1 },
        level { name = "L1", kind = "data", size = 32768, ways = 8, latency = 0, cores = 1, load_from = "L2", store_to = "L2",
            write_allocate = true, write_back = true },
]]

local INCLUSIVE_LEVELS = L1 .. [[
        level { name = "L2", size = 262144, ways = 8, latency = 10, cores = 1, load_from = "L3", store_to = "L3",
            write_allocate = true, write_back = true },
        level { name = "L3", size = 2097152, slices = "core", ways = 16, latency = 30, cores = "socket", load_from = "MEM",
            store_to = "MEM", write_allocate = true, write_back = true, inclusive = true, protocol = "MESIF", directory = "inclusive" },
]]

local VICTIM_LEVELS = L1 .. [[
        level { name = "L2", size = 524288, ways = 8, latency = 10, cores = 1, load_from = "L3", victims_to = "L3",
            write_allocate = true, write_back = true },
        level { name = "L3", size = 1048576, slices = 8, ways = 16, latency = 30, cores = 4, store_to = "MEM", inclusive = false,
            protocol = "MOESI", directory = "shadow_tags" },
]]

local REST = [[
    probe = probe { counter = "FIXC0", event = "I" },
    counters = { counters { name = "FIXC", count = 3, bits = 64, fixed = true }, counters { name = "PMC", count = 6, bits = 48 },
        counters { name = "CPMC", count = 6, bits = 48 }, counters { name = "DFC", count = 4, bits = 48 } },
    traffic = {
        traffic { boundary = "L1-L2", group = "TWO", scope = "core", tolerance_pct = 1, reason = "r",
            volume = { load = "L2 volume" }, lacks = { evict = "no event for L1's victims", total = "no event for L1's victims" } },
        traffic { boundary = "L2-L3", group = "THREE", scope = "domain", tolerance_pct = 1, reason = "r",
            volume = { load = "L3 volume" }, bandwidth = { load = "L3 bandwidth" },
            lacks = { evict = "one direction", total = "one direction" } },
    },
    parts = {
        part { boundary = "L3-MEM", direction = "total", group = "FIRST", scope = "socket", tolerance_pct = 2, reason = "r",
            metric = "channels 0-3", boxes = 4, of_boxes = 8 },
        part { boundary = "L3-MEM", direction = "total", group = "SECOND", scope = "socket", tolerance_pct = 2, reason = "r",
            metric = "channels 4-7", boxes = 4, of_boxes = 8 },
        part { boundary = "L2-L3", direction = "clean victims", group = "TWO", scope = "core", tolerance_pct = 1, reason = "r",
            metric = "clean victims" },
    },
    counts = { count { quantity = "FLOPs", group = "TWO", metric = "flops", scope = "core", tolerance_pct = 0.1, reason = "r" } },
    cannot = { absent { quantity = "AVX operations", reason = "widths are not told apart" } },
    errata = {},
]]

local GROUPS = {
    TWO = { "PMC0 A", "PMC1 B", "PMC2 F", "L2 volume [GBytes] 1.0E-09*PMC0*64.0", "clean victims [GBytes] 1.0E-09*PMC1*64.0",
        "flops PMC2" },
    THREE = { "CPMC0 C", "L3 volume [GBytes] 1.0E-09*CPMC0*64.0", "L3 bandwidth [MBytes/s] 1.0E-06*CPMC0*64.0/time" },
    FIRST = { "DFC0 D0", "DFC1 D1", "DFC2 D2", "DFC3 D3", "channels 0-3 [GBytes] 1.0E-09*(DFC0+DFC1+DFC2+DFC3)*64.0" },
    SECOND = { "DFC0 D4", "DFC1 D5", "DFC2 D6", "DFC3 D7", "channels 4-7 [GBytes] 1.0E-09*(DFC0+DFC1+DFC2+DFC3)*64.0" },
}

local function read(name, levels)
    local text = ("return machine { arch = '%s', title = 'T', %s levels = { %s }, %s }"):format(name, PROCESSOR, levels, REST)
    return schema.machine { text = text, file = name .. ".lua" }
end

function machines.inclusive()
    return read("inclusive", INCLUSIVE_LEVELS)
end

function machines.victim()
    return read("victim", VICTIM_LEVELS)
end

function machines.groups()
    local groups = {}
    for name, lines in pairs(GROUPS) do
        local events, metrics = {}, {}
        for _, line in ipairs(lines) do
            local is_event = line:match "^%u+%d %u%d?$"
            table.insert(is_event and events or metrics, line)
        end
        local text = ("SHORT s\n\nEVENTSET\n%s\n\nMETRICS\n%s\n"):format(table.concat(events, "\n"), table.concat(metrics, "\n"))
        groups[name] = group.parse { text = text, file = name .. ".txt" }
    end
    return groups
end

-- A node of `machine` with the given numbers of sockets, domains per socket and cores per domain.
function machines.node(machine, sockets, domains, cores)
    local is_victim = machine.arch == "victim"
    local node = fixture.node()
    node.name, node.arch, node.sockets, node.cores_per_socket = machine.arch, machine.arch, sockets, domains * cores
    node.caches[2] = { level = 2, size_bytes = is_victim and 524288 or 262144, ways = 8, shared_by_cores = 1 }
    node.caches[3] = { level = 3, size_bytes = is_victim and 8388608 or 2097152 * cores, ways = 16, shared_by_cores = cores }
    node.cpus_by_socket, node.cpus_by_domain, node.numa_domains = {}, {}, sockets
    for cpu = 0, sockets * domains * cores - 1 do
        for part, size in pairs { cpus_by_socket = domains * cores, cpus_by_domain = cores } do
            local index = cpu // size + 1
            node[part][index] = node[part][index] or {}
            table.insert(node[part][index], cpu)
        end
    end
    return node
end

return machines
