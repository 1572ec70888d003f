-- Haswell-EP: cache policy, counters, which group and metric shows which traffic, and published errata of the events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations only (fields: lua/input/architecture.lua).
return machine {
    arch = "haswellEP",
    title = "Intel Xeon E5/E7 v3 (Haswell-EP, -EX)",
    libpfm4 = "hsw_ep",
    -- Virtual nodes: processor identity and simulation parameters. Latencies are in cycles. Memory, channels and home agents
    -- are per NUMA domain.
    processor = processor {
        vendor = "GenuineIntel",
        cpu = "Intel(R) Xeon(R) CPU E5-26xx v3 (virtual)",
        signature = 0x306f2, -- CPUID leaf 1, EAX: family 6, model 63, stepping 2
        physical_bits = 46,
        without = { "rdseed", "adx" }, -- no Haswell has them, though Valgrind executes them
        perfmon = perfmon { version = 3, counters = 8, counters_smt = 4, fixed = 3, bits = 48 }, -- CPUID leaf 0xA
        page = 4096,
        large_page = 2 << 20,
        line = 64,
        clock_hz = 2300000000,
        uncore_hz = 2300000000,
        instructions_per_cycle_x4 = 4, -- in quarters: one a cycle, so that regions start on whole cycles
        branch_penalty = 15,
        walk_latency = 30,
        dtlb = tlb { entries = 64, ways = 4 },
        itlb = tlb { entries = 128, ways = 4 },
        stlb = tlb { entries = 1024, ways = 8 },
        dtlb_large = tlb { entries = 32, ways = 4 }, -- for 2 MiB and 4 MiB pages, by quotations of Intel's optimization manual
        pipeline = pipeline { -- ports 0, 1, 5 and 6 compute; units: from Skylake on two add (Fog)
            width = 4, window = 192, divide = 9, fp_divide = 14,
            latency = latency { load = 5, alu = 1, multiply = 3, divide = 26, vector = 1, convert = 4, fp_add = 3, fp_multiply = 5,
                fp_fused = 5, fp_divide = 20 },
            units = units { load = 2, store = 1, branch = 2, compute = 4, multiply = 1, vector = 3, fp = 2, fp_add = 1, fp_multiply = 2 },
        },
        memory_bytes = 4 << 30, -- memory size that programs see
        channels = 4, -- of the eight MBOXes that LIKWID knows
        ranks = 4, -- two modules of two ranks each
        banks = 16, -- DDR4
        dram_row = 8 << 10,
        home_agents = 2,
        memory_latency = 200,
        remote_latency = 310,
        links = 1,
        default = true, -- a virtual node without a name is of this architecture
        shape = "1x2",
        sockets = { 1, 2, 4 },
        max_cores = 18,
        max_threads = 2, -- hardware threads per core
    },
    -- From the core outwards. Sizes are those of virtual nodes; a native node's sizes come from its topology.
    levels = {
        level { name = "L1I", kind = "instructions", size = 32 << 10, ways = 8, latency = 0, cores = 1 },
        level {
            name = "L1",
            kind = "data",
            size = 32 << 10,
            ways = 8,
            latency = 0,
            cores = 1,
            load_from = "L2",
            store_to = "L2",
            write_allocate = true,
            write_back = true,
        },
        level {
            name = "L2",
            size = 256 << 10,
            ways = 8,
            latency = 12,
            cores = 1,
            load_from = "L3",
            store_to = "L3",
            write_allocate = true,
            write_back = true,
        },
        level {
            name = "L3",
            size = 2560 << 10, -- per slice
            slices = "core",
            ways = 20,
            latency = 34,
            cores = "socket",
            load_from = "MEM",
            store_to = "MEM",
            write_allocate = true,
            write_back = true,
            inclusive = true, -- every line in L1 or L2 is in L3 as well
            protocol = "MESIF",
            directory = "inclusive",
        },
    },
    mca = "haswell",
    osaca = "HSW",
    probe = probe { counter = "FIXC0", event = "INSTR_RETIRED_ANY" },
    -- Eight PMCs with one thread per core, four with SMT: groups must fit four to run everywhere.
    counters = {
        counters { name = "FIXC", count = 3, bits = 48, fixed = true },
        counters { name = "PMC", count = 4, without_smt = 8, bits = 48, event_options = { "MATCH0", "MATCH1" } },
        counters {
            name = "MBOX",
            boxes = 8,
            one_per = "channel",
            devices = {
                "14.0 8086:2fb0", "14.1 8086:2fb1", "15.0 8086:2fb4", "15.1 8086:2fb5",
                "17.0 8086:2fd0", "17.1 8086:2fd1", "18.0 8086:2fd4", "18.1 8086:2fd5",
            },
            count = 4,
            bits = 48,
        },
        counters { name = "BBOX", boxes = 2, one_per = "agent", devices = { "12.1 8086:2f30", "12.5 8086:2f38" }, count = 4, bits = 48 },
        -- One per L3 slice.
        counters {
            name = "CBOX",
            boxes = 18,
            one_per = "slice",
            count = 4,
            bits = 48,
            shared_options = { "STATE", "OPCODE", "NID", "TID", "MATCH0" },
        },
    },
    traffic = {
        traffic {
            boundary = "L1-L2",
            group = "ASSAY_L2",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.18,
            reason = "stack and Marker API share the L1 data cache with the streams",
            volume = { load = "L1-L2 load volume", evict = "L1-L2 evict volume", total = "L1-L2 volume" },
            bandwidth = { load = "L1-L2 load bandwidth", evict = "L1-L2 evict bandwidth", total = "L1-L2 bandwidth" },
        },
        traffic {
            boundary = "L2-L3",
            group = "ASSAY_L3",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.15,
            reason = "instruction fetches and page walks go through L2 as well",
            volume = { load = "L2-L3 load volume", evict = "L2-L3 evict volume", total = "L2-L3 volume" },
            bandwidth = { load = "L2-L3 load bandwidth", evict = "L2-L3 evict bandwidth", total = "L2-L3 bandwidth" },
        },
        traffic {
            boundary = "L3-MEM",
            group = "ASSAY_MEM",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the controllers serve the whole socket: operating system, page tables, other programs",
            volume = { load = "iMC read volume", evict = "iMC write volume", total = "iMC volume" },
            bandwidth = { load = "iMC read bandwidth", evict = "iMC write bandwidth", total = "iMC bandwidth" },
        },
        traffic {
            boundary = "L3-MEM",
            group = "ASSAY_HA",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the home agents serve the whole socket: operating system, page tables, other programs",
            volume = { load = "HA read volume", evict = "HA write volume", total = "HA volume" },
            bandwidth = { load = "HA read bandwidth", evict = "HA write bandwidth", total = "HA bandwidth" },
        },
    },
    -- Further metrics: L2-L3 reads and L3 victims at the L3 slices.
    parts = {
        part {
            boundary = "L2-L3",
            direction = "data reads",
            group = "ASSAY_CBOX",
            scope = "socket",
            tolerance_pct = 1,
            virtual_pct = 0.15,
            reason = "the slices serve the whole socket: operating system, page tables, other programs; the slice hash is uneven",
            metric = "CBOX data reads volume",
            metric_of_box = "CBOX%d data reads volume",
        },
        part {
            boundary = "L3-MEM",
            direction = "modified victims",
            group = "ASSAY_CBOX",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the slices serve the whole socket: operating system, page tables, other programs; the slice hash is uneven",
            metric = "CBOX modified victims volume",
            metric_of_box = "CBOX%d modified victims volume",
        },
        -- One core's reads from memory.
        part {
            boundary = "L3-MEM",
            direction = "load",
            group = "ASSAY_CORE_MEM",
            scope = "core",
            tolerance_pct = 2,
            virtual_pct = 0.25,
            reason = "page tables and instructions come from memory, too",
            metric = "Memory read volume of the core",
            spare = true,
        },
    },
    -- Counts of the code's work; `quantity` is the name that patterns use.
    alike = {
        "ASSAY_AVX", "ASSAY_SHARING", "ASSAY_CORE_MEM", "ASSAY_BRANCH", "ASSAY_SYNC", "ASSAY_HITS",
        "ASSAY_TLB", "ASSAY_NUMA", "ASSAY_SPLIT", "ASSAY_ASSISTS", "ASSAY_BLOCKS", "ASSAY_LOCKS",
    },
    counts = {
        count {
            quantity = "AVX operations",
            group = "ASSAY_AVX",
            metric = "AVX operations",
            code = { avx_calc = 1 },
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired instructions are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "AVX loads",
            group = "ASSAY_AVX_MOVES",
            metric = "AVX loads",
            code = { avx_loads = 1 },
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired instructions are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "AVX stores",
            group = "ASSAY_AVX_MOVES",
            metric = "AVX stores",
            code = { avx_stores = 1 },
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired instructions are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "divider uops",
            group = "ASSAY_DIVIDER",
            metric = "Divider uops",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "micro-operations of retired divisions; a mispredicted branch may start some more",
        },
        count {
            quantity = "AVX operations per instruction",
            group = "ASSAY_AVX",
            metric = "AVX operations per instruction",
            code = { avx_calc = 1 },
            scope = "core",
            tolerance_pct = 0.1,
            reason = "both counts are exact; the Marker API adds instructions",
        },
        count {
            quantity = "divider uops per instruction",
            group = "ASSAY_DIVIDER",
            metric = "Divider uops per instruction",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "both counts are exact; the Marker API adds instructions",
        },
        count {
            quantity = "arithmetic intensity at memory",
            group = "ASSAY_INTENSITY",
            metric = "Arithmetic intensity",
            code = { avx_calc = 4 }, -- double-precision lanes
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the controllers serve the whole socket: operating system, page tables, other programs",
        },
        count {
            quantity = "performance",
            group = "ASSAY_INTENSITY",
            metric = "Performance",
            code = { avx_calc = 4 }, -- double-precision lanes
            rate = true,
            scope = "core",
            tolerance_pct = 0.1,
            reason = "inherited from the operations that it is computed from",
        },
    },
    cannot = {
        absent { quantity = "FLOPs DP", reason = "no event counts scalar or 128-bit floating-point arithmetic" },
        absent { quantity = "FLOPs SP", reason = "no event counts scalar or 128-bit floating-point arithmetic" },
        absent { quantity = "FLOPs", reason = "no event counts scalar or 128-bit floating-point arithmetic" },
        absent { quantity = "share of vectors DP", reason = "no event counts scalar or 128-bit floating-point arithmetic" },
    },
    -- Micro-operations that the divider does for one division or root (Fog, Instruction tables: Haswell).
    divider_uops = { bits128 = 1, bits256 = 2 },
    filters = {
        filter { options = "MATCH0=0x0001:MATCH1=0x10003C", name = "DEMAND_DATA_RD.LLC_HIT.HITM_OTHER_CORE" },
        filter { options = "MATCH0=0x0001:MATCH1=0x103FC0", name = "DEMAND_DATA_RD.LLC_MISS.REMOTE_HITM" },
        filter { options = "MATCH0=0x0001:MATCH1=0x60040", name = "DEMAND_DATA_RD.LLC_MISS.LOCAL_DRAM" },
        filter { options = "MATCH0=0x0001:MATCH1=0x63F80", name = "DEMAND_DATA_RD.LLC_MISS.REMOTE_DRAM" },
        filter { options = "MATCH0=0x01B3:MATCH1=0x63FC0", name = "DATA_RD+RFO+PREFETCHES.LLC_MISS.ANY_DRAM" },
        filter { options = "OPCODE=0x182", name = "DATA_RD" },
    },
    -- From Intel's specification updates and its event list (github.com/intel/perfmon, HSX). The event list uses client numbers (HSD) for
    -- servers, too. HSW149 and HSW150 are the numbers of the Xeon E3-1200 v3 update; Röhl and others (docs/papers.md, X8) use them.
    errata = {
        erratum {
            id = "HSD25/HSW150",
            events = {
                "MEM_LOAD_UOPS_RETIRED_L3_HIT",
                "MEM_LOAD_UOPS_RETIRED_L3_MISS",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_LOCAL_DRAM",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_MISS",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HIT",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_NONE",
            },
            about = "L3 hits, misses and snoop results of retired loads may be wrong by up to 40 %.",
        },
        erratum {
            id = "HSD29",
            smt = true,
            events = {
                "MEM_UOPS_RETIRED_LOADS",
                "MEM_UOPS_RETIRED_STORES",
                "MEM_LOAD_UOPS_RETIRED_L1_HIT",
                "MEM_LOAD_UOPS_RETIRED_L2_HIT",
                "MEM_LOAD_UOPS_RETIRED_L3_HIT",
                "MEM_LOAD_UOPS_RETIRED_L3_MISS",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_LOCAL_DRAM",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_DRAM",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM", -- listed for this event under its mobile number, HSM30
            },
            about = "With SMT, memory events at retirement may be lost or counted on the other hardware thread.",
        },
        erratum {
            id = "HSD56",
            events = { "OTHER_ASSISTS_AVX_TO_SSE", "OTHER_ASSISTS_SSE_TO_AVX" },
            about = "Intel's event list names this erratum but does not describe it.",
        },
        erratum {
            id = "HSD74",
            events = {
                "MEM_LOAD_UOPS_RETIRED_L3_HIT",
                "MEM_LOAD_UOPS_RETIRED_L3_MISS",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_LOCAL_DRAM",
            },
            about = "L3 hits are counted too high and L3 misses too low.",
        },
        erratum {
            id = "HSD76",
            events = { "MEM_LOAD_UOPS_RETIRED_L2_HIT" },
            about = "Locked loads that hit L2 are not all counted.",
        },
        erratum {
            id = "HSD78",
            events = { "L2_RQSTS_ALL_DEMAND_DATA_RD", "L2_RQSTS_ALL_DEMAND_DATA_RD_HIT" },
            about = "Demand loads that reach L2 are counted too high.",
        },
        erratum {
            id = "HSD140",
            events = { "INSTR_RETIRED_ANY", "INST_RETIRED_ANY_P" },
            about = "The number of retired instructions of the same code may vary between runs.",
        },
        erratum {
            id = "HSD143",
            smt = true,
            events = { "INSTR_RETIRED_ANY" },
            about = "With SMT, the fixed instruction counter may be too high by up to 32.",
        },
        erratum {
            id = "HSD150/HSW149",
            events = { "OFFCORE_RESPONSE_0_OPTIONS", "OFFCORE_RESPONSE_1_OPTIONS" },
            about = "Write-backs, L3 prefetches and streaming stores are counted too low by the offcore-response events. "
                .. "The erratum does not name demand reads, which the groups count.",
        },
    },
}
