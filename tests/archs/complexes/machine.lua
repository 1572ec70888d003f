-- An architecture for tests: sockets of several core complexes, each with a last level of its own that takes the victims
-- of its cores; no home agents. No such processor exists: LIKWID takes it for the one with its CPUID signature.
-- SPDX-License-Identifier: GPL-3.0-or-later
return machine {
    arch = "complexes",
    title = "core complexes",
    processor = processor {
        vendor = "AuthenticAMD",
        cpu = "Complexes 7003 (virtual)",
        signature = 0x00a00f11,
        physical_bits = 48,
        without = { "erms" },
        perfmon2 = perfmon2 { core = 6, fabric = 16, channel = 4 },
        page = 4096,
        line = 64,
        clock_hz = 2450000000,
        uncore_hz = 1467000000,
        instructions_per_cycle_x4 = 4,
        branch_penalty = 13,
        walk_latency = 30,
        dtlb = tlb { entries = 64, ways = 64 },
        itlb = tlb { entries = 64, ways = 64 },
        stlb = tlb { entries = 2048, ways = 8 },
        memory_bytes = 8 << 30,
        channels = 8,
        home_agents = 0,
        memory_latency = 220,
        remote_latency = 340,
        links = 3,
        shape = "1x4",
        sockets = { 1, 2 },
        max_cores = 64,
    },
    levels = {
        level { name = "L1I", kind = "instructions", size = 32 << 10, ways = 8, latency = 0, cores = 1 },
        level {
            name = "L1", kind = "data", size = 32 << 10, ways = 8, latency = 0, cores = 1, load_from = "L2",
            store_to = "L2", write_allocate = true, write_back = true,
        },
        level {
            name = "L2", size = 512 << 10, ways = 8, latency = 12, cores = 1, load_from = "L3", victims_to = "L3",
            write_allocate = true, write_back = true,
        },
        level {
            name = "L3", size = 4 << 20, slices = 8, ways = 16, latency = 40, cores = 8, store_to = "MEM",
            inclusive = false, protocol = "MOESI", directory = "shadow_tags",
        },
    },
}
