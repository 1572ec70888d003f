-- Broadwell-EP: the processor and its levels, counters, which group and metric shows which traffic, and published errata of the events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations only (fields: lua/input/architecture.lua). Sources: Intel's event lists (broadwellx); LIKWID's files
-- perfmon_broadwellEP_events.txt and perfmon_broadwellEP_counters.h; Microway, "Detailed Specifications of the Intel Xeon
-- E5-2600v4" (cores, entries of the L2 TLB); Tom's Hardware, "Xeon E5-2600 v4 Broadwell-EP" (die, slices of L3). L1, L2, the
-- other TLBs and latencies are not in these sources and are taken from Haswell-EP. The clock is one of the family's.
return machine {
    arch = "broadwellEP",
    title = "Intel Xeon E5/E7 v4 (Broadwell-EP, -EX)",
    -- Virtual nodes: processor identity and simulation parameters. Latencies are in cycles. Memory, channels and home agents
    -- are per NUMA domain.
    processor = processor {
        vendor = "GenuineIntel",
        cpu = "Intel(R) Xeon(R) CPU E5-26xx v4 (virtual)",
        signature = 0x406f1, -- CPUID leaf 1, EAX: family 6, model 79, stepping 1
        physical_bits = 46,
        without = {}, -- this processor has everything that Valgrind executes
        perfmon = perfmon { version = 3, counters = 8, counters_smt = 4, fixed = 3, bits = 48 }, -- CPUID leaf 0xA
        page = 4096,
        large_page = 2 << 20,
        line = 64,
        clock_hz = 2200000000,
        uncore_hz = 2200000000,
        instructions_per_cycle_x4 = 4, -- in quarters: one a cycle, so that regions start on whole cycles
        branch_penalty = 15,
        walk_latency = 30,
        dtlb = tlb { entries = 64, ways = 4 },
        itlb = tlb { entries = 128, ways = 4 },
        stlb = tlb { entries = 1536, ways = 6 }, -- ways: not in the sources; 6 make 256 sets
        dtlb_large = tlb { entries = 32, ways = 4 }, -- taken from Haswell-EP
        memory_bytes = 4 << 30, -- memory size that programs see
        channels = 4, -- of the eight MBOXes that LIKWID knows
        ranks = 4, -- two modules of two ranks each
        banks = 16, -- DDR4
        dram_row = 8 << 10,
        home_agents = 2,
        memory_latency = 200,
        remote_latency = 310,
        links = 2, -- QPI
        shape = "1x2",
        sockets = { 1, 2, 4 },
        max_cores = 22,
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
    mca = "broadwell",
    osaca = "BDW",
    probe = probe { counter = "FIXC0", event = "INSTR_RETIRED_ANY" },
    -- Eight PMCs with one thread per core, four with SMT: groups must fit four to run everywhere. LIKWID 5.2.2
    -- programs the other four so that they do not count (seen on the virtual node).
    counters = {
        counters { name = "FIXC", count = 3, bits = 48, fixed = true },
        counters { name = "PMC", count = 4, bits = 48, event_options = { "MATCH0", "MATCH1" } },
        counters {
            name = "MBOX",
            boxes = 8,
            one_per = "channel",
            devices = {
                "14.0 8086:6fb4", "14.1 8086:6fb5", "15.0 8086:6fb0", "15.1 8086:6fb1",
                "17.0 8086:6fd4", "17.1 8086:6fd5", "18.0 8086:6fd0", "18.1 8086:6fd1",
            },
            count = 4,
            bits = 48,
        },
        counters { name = "BBOX", boxes = 2, one_per = "agent", devices = { "12.1 8086:6f30", "12.5 8086:6f38" }, count = 4, bits = 48 },
        -- One per L3 slice; the largest die has 24.
        counters {
            name = "CBOX",
            boxes = 24,
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
        "ASSAY_INTENSITY", "ASSAY_FLOPS_DP", "ASSAY_FLOPS_SP", "ASSAY_FLOPS",
    },
    counts = {
        count {
            quantity = "AVX operations",
            group = "ASSAY_AVX",
            metric = "AVX operations",
            code = { fp_256_sp = 1, fp_256_dp = 1 }, -- arithmetic only; a fused multiply-add counts twice
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired instructions are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "FLOPs DP",
            group = "ASSAY_FLOPS_DP",
            metric = "FLOPs DP",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired operations are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "FLOPs SP",
            group = "ASSAY_FLOPS_SP",
            metric = "FLOPs SP",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired operations are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "AVX operations per instruction",
            group = "ASSAY_AVX",
            metric = "AVX operations per instruction",
            code = { fp_256_sp = 1, fp_256_dp = 1 },
            scope = "core",
            tolerance_pct = 0.1,
            reason = "both counts are exact; the Marker API adds instructions",
        },
    },
    cannot = {
        absent {
            quantity = "divider uops",
            reason = "ARITH_FPU_DIV_ACTIVE counts cycles of a busy divider; its edges, ARITH_FPU_DIV_COUNT, count divisions in a row once",
        },
    },
    filters = {
        filter { options = "MATCH0=0x0001:MATCH1=0x10003C", name = "DEMAND_DATA_RD.LLC_HIT.HITM_OTHER_CORE" },
        filter { options = "MATCH0=0x0001:MATCH1=0x103FC0", name = "DEMAND_DATA_RD.LLC_MISS.REMOTE_HITM" },
        filter { options = "MATCH0=0x0001:MATCH1=0x60400", name = "DEMAND_DATA_RD.LLC_MISS.LOCAL_DRAM" },
        filter { options = "MATCH0=0x0001:MATCH1=0x63800", name = "DEMAND_DATA_RD.LLC_MISS.REMOTE_DRAM" },
        filter { options = "MATCH0=0x01B3:MATCH1=0x63FC0", name = "DATA_RD+RFO+PREFETCHES.LLC_MISS.ANY_DRAM" },
        filter { options = "OPCODE=0x182", name = "DATA_RD" },
    },
    -- From Intel's event lists, which give each event the numbers of its errata in the specification updates for client processors (BDM)
    -- and Xeon D (BDE). The lists do not say how an erratum changes a count.
    errata = {
        erratum {
            id = "BDM30",
            events = { "OTHER_ASSISTS_AVX_TO_SSE", "OTHER_ASSISTS_SSE_TO_AVX" },
            about = "Intel's event list names this erratum but does not describe it.",
        },
        erratum {
            id = "BDM35",
            events = { "MEM_LOAD_UOPS_RETIRED_L2_HIT", "MEM_UOPS_RETIRED_LOADS_LOCK" },
            about = "Intel's event list names it for loads that hit L2 and for locked loads.",
        },
        erratum {
            id = "BDM61",
            events = { "INST_RETIRED_ANY_P" },
            about = "Intel's event list names it for the retired instructions of a general counter, not of the fixed one.",
        },
        erratum {
            id = "BDM69",
            events = {
                "DTLB_LOAD_MISSES_CAUSES_A_WALK",
                "DTLB_LOAD_MISSES_WALK_COMPLETED",
                "DTLB_LOAD_MISSES_WALK_COMPLETED_4K",
                "DTLB_LOAD_MISSES_WALK_DURATION",
                "DTLB_STORE_MISSES_CAUSES_A_WALK",
                "DTLB_STORE_MISSES_WALK_COMPLETED",
                "DTLB_STORE_MISSES_WALK_COMPLETED_4K",
                "DTLB_STORE_MISSES_WALK_DURATION",
                "ITLB_MISSES_CAUSES_A_WALK",
                "ITLB_MISSES_WALK_COMPLETED",
                "ITLB_MISSES_WALK_COMPLETED_4K",
                "ITLB_MISSES_WALK_DURATION",
            },
            about = "Intel's event list names it for page walks, their number and their cycles.",
        },
        erratum {
            id = "BDM100",
            events = {
                "MEM_LOAD_UOPS_RETIRED_L3_HIT",
                "MEM_LOAD_UOPS_RETIRED_L3_MISS",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_MISS",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HIT",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_NONE",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_LOCAL_DRAM",
            },
            about = "Retired loads by L3 hit, miss and result of the snoop may be counted too low by up to 20 %.",
        },
        erratum {
            id = "BDE70",
            events = {
                "MEM_LOAD_UOPS_RETIRED_L3_MISS",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_LOCAL_DRAM",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_DRAM",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM",
                "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_FWD",
            },
            about = "Intel's event list names it for retired loads that miss L3, by where their data came from.",
        },
    },
}
