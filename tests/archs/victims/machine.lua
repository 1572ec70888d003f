-- An architecture for tests: one last level a socket that takes victims, with a slice per core and a snoop filter, and two
-- NUMA domains in it. No such processor exists: LIKWID takes it for the one with its CPUID signature.
-- SPDX-License-Identifier: GPL-3.0-or-later
return machine {
    arch = "victims",
    title = "victim last level",
    processor = processor {
        vendor = "GenuineIntel",
        cpu = "Victims 8100 (virtual)",
        signature = 0x50654,
        physical_bits = 46,
        perfmon = perfmon { version = 4, counters = 8, fixed = 3, bits = 48 },
        page = 4096,
        line = 64,
        clock_hz = 2400000000,
        uncore_hz = 2400000000,
        instructions_per_cycle_x4 = 4,
        branch_penalty = 16,
        walk_latency = 30,
        dtlb = tlb { entries = 64, ways = 4 },
        itlb = tlb { entries = 128, ways = 8 },
        stlb = tlb { entries = 1536, ways = 6 },
        memory_bytes = 2 << 30,
        channels = 3,
        home_agents = 1,
        memory_latency = 210,
        remote_latency = 320,
        links = 3,
        numa_domains = 2,
        shape = "1x4",
        sockets = { 1, 2, 4 },
        max_cores = 28,
    },
    levels = {
        level { name = "L1I", kind = "instructions", size = 32 << 10, ways = 8, latency = 0, cores = 1 },
        level {
            name = "L1", kind = "data", size = 32 << 10, ways = 8, latency = 0, cores = 1, load_from = "L2",
            store_to = "L2", write_allocate = true, write_back = true,
        },
        level {
            name = "L2", size = 1 << 20, ways = 16, latency = 12, cores = 1, load_from = "L3", victims_to = "L3",
            write_allocate = true, write_back = true,
        },
        level {
            name = "L3", size = 1408 << 10, slices = "core", ways = 11, latency = 50, cores = "socket",
            store_to = "MEM", protocol = "MESIF", directory = "snoop_filter",
            snoop_filter = snoop_filter { entries = 24576, ways = 12 },
        },
    },
}
