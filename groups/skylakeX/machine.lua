-- Skylake-SP: the processor and its levels, counters, which group and metric shows which traffic, and published errata of the events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations only (fields: lua/input/architecture.lua). Sources:
--   InstLatx64 (github), CPUID of an i9-7900X and a Xeon Gold 6130 (GenuineIntel0050654_SkylakeX, _SkylakeXeon_CPUID2): signature, physical
--     bits, counters, caches; its memory latencies of an i7-7800X (SkylakeX2_NewMemLat): STLB, L2 14 cycles, L3 52 to 78
--   AnandTech 11550, the Skylake-X review (TLBs, ways), and 11544, Skylake-EP against EPYC (LMBench on a Xeon: latencies)
--   Intel's event lists (github intel/perfmon, SKX 1.37), Linux (arch/x86/events/intel/uncore_snbep.c), LIKWID 5.2.2: counters, events
-- Intel's manuals were not opened. What is marked "chosen" is a parameter of the virtual node that no source above gives.
return machine {
    arch = "skylakeX",
    title = "Intel Xeon Scalable, first generation (Skylake-SP)",
    processor = processor {
        vendor = "GenuineIntel",
        cpu = "Intel(R) Xeon(R) Platinum 81xx CPU (virtual)",
        signature = 0x50654, -- CPUID leaf 1, EAX: family 6, model 85, stepping 4
        physical_bits = 46,
        without = {}, -- Valgrind has no AVX-512, so virtual nodes do not show it in any case
        perfmon = perfmon { version = 4, counters = 8, counters_smt = 4, fixed = 3, bits = 48 }, -- CPUID leaf 0xA
        page = 4096,
        large_page = 2 << 20,
        line = 64,
        clock_hz = 2400000000, -- chosen
        uncore_hz = 2400000000, -- chosen
        instructions_per_cycle_x4 = 4, -- in quarters: one a cycle, so that regions start on whole cycles
        branch_penalty = 16, -- chosen
        walk_latency = 30, -- chosen
        dtlb = tlb { entries = 64, ways = 4 },
        itlb = tlb { entries = 128, ways = 8 }, -- shared by both hardware threads; CPUID reports 64
        stlb = tlb { entries = 1536, ways = 12 },
        dtlb_large = tlb { entries = 32, ways = 4 }, -- for 2 MiB and 4 MiB pages, by quotations of Intel's optimization manual
        memory_bytes = 4 << 30, -- memory size that programs see
        channels = 6,
        ranks = 4, -- two modules of two ranks each
        banks = 16, -- DDR4
        dram_row = 8 << 10,
        home_agents = 2, -- the mesh-to-memory blocks, one before each memory controller of three channels
        memory_latency = 216, -- 90 ns: LMBench, 89 to 91
        remote_latency = 330, -- chosen
        links = 3, -- UPI; Linux has three boxes
        shape = "1x2",
        sockets = { 1, 2, 4 },
        max_cores = 28,
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
        -- All lines evicted from L2 go to L3, also clean ones. Silicon may drop clean lines by an unpublished rule.
        level {
            name = "L2",
            size = 1 << 20,
            ways = 16,
            latency = 14,
            cores = 1,
            load_from = "L3",
            victims_to = "L3",
            write_allocate = true,
            write_back = true,
        },
        level {
            name = "L3",
            size = 1408 << 10, -- per slice
            slices = "core",
            ways = 11,
            latency = 55, -- LMBench on a Xeon, 4 to 8 MiB: 54 to 56
            cores = "socket",
            store_to = "MEM",
            inclusive = false,
            protocol = "MESIF",
            directory = "snoop_filter",
            -- 12 ways, as reported at community.intel.com, 1185376 (a 12-way filter next to 11 ways of L3); as many sets as L3: chosen.
            snoop_filter = snoop_filter { entries = 24576, ways = 12 },
        },
    },
    mca = "skylake-avx512",
    osaca = "SKX",
    probe = probe { counter = "FIXC0", event = "INSTR_RETIRED_ANY" },
    -- Eight PMCs with one thread per core, four with SMT: groups must fit four to run everywhere.
    counters = {
        counters { name = "FIXC", count = 3, bits = 48, fixed = true },
        counters { name = "PMC", count = 4, without_smt = 8, bits = 48, event_options = { "MATCH0", "MATCH1" } },
        counters {
            name = "MBOX",
            boxes = 6,
            one_per = "channel",
            devices = {
                "0a.2 8086:2042", "0a.6 8086:2046", "0b.2 8086:204a", "0c.2 8086:2042",
                "0c.6 8086:2046", "0d.2 8086:204a",
            },
            count = 4,
            bits = 48,
        },
        -- Three of four: LIKWID 5.2.2's fourth counter reads 0 if the second box's third counter is used as well.
        counters { name = "M2M", boxes = 2, one_per = "agent", devices = { "08.0 8086:2066", "09.0 8086:2066" }, count = 3, bits = 48 },
        -- One slice per core; processors may keep the slices of disabled cores.
        counters {
            name = "CBOX",
            boxes = 28,
            one_per = "slice",
            count = 4,
            bits = 48,
            shared_options = { "STATE", "OPCODE", "TID", "MATCH0", "MATCH1" },
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
            group = "ASSAY_M2M",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the mesh ends serve the whole socket: operating system, page tables, other programs",
            volume = { load = "M2M read volume", evict = "M2M write volume", total = "M2M volume" },
            bandwidth = { load = "M2M read bandwidth", evict = "M2M write bandwidth", total = "M2M bandwidth" },
        },
    },
    parts = {
        -- A second event for lines evicted from L2.
        part {
            boundary = "L2-L3",
            direction = "evict",
            group = "ASSAY_L2_OUT",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.15,
            reason = "instruction fetches and page walks go through L2 as well",
            metric = "L2 handed on volume",
            bandwidth = "L2 handed on bandwidth",
        },
        -- At the slices of the L3.
        part {
            boundary = "L2-L3",
            direction = "data reads",
            group = "ASSAY_CHA",
            scope = "socket",
            tolerance_pct = 1,
            virtual_pct = 0.15,
            reason = "the slices serve the whole socket: operating system, page tables, other programs; the slice hash is uneven",
            metric = "CHA data reads volume",
            metric_of_box = "CHA%d data reads volume",
        },
        part {
            boundary = "L3-MEM",
            direction = "modified victims",
            group = "ASSAY_CHA",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the slices serve the whole socket: operating system, page tables, other programs; the slice hash is uneven",
            metric = "CHA modified victims volume",
            metric_of_box = "CHA%d modified victims volume",
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
        "ASSAY_TLB", "ASSAY_NUMA", "ASSAY_SPLIT", "ASSAY_BLOCKS", "ASSAY_LOCKS", "ASSAY_INTENSITY",
        "ASSAY_FLOPS_DP", "ASSAY_FLOPS_SP",
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
            reason = "inherited from the operations that it is computed from",
        },
        count {
            quantity = "FLOPs SP",
            group = "ASSAY_FLOPS_SP",
            metric = "FLOPs SP",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "inherited from the operations that it is computed from",
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
    unjudged = {
        unjudged {
            groups = { "ASSAY_L2_OUT" },
            metrics = {
                "L2 silently dropped bandwidth",
                "L2 silently dropped volume",
                "L2 kept by L3 bandwidth",
                "L2 kept by L3 volume",
                "L2 dropped by L3 bandwidth",
                "L2 dropped by L3 volume",
            },
            reason = "which clean lines L2 hands on, and which of them L3 keeps, follows a rule of the processor that is not published",
        },
        unjudged { groups = { "ASSAY_FLOPS_DP" }, metrics = { "512-bit FLOPs DP" }, reason = "no code has vectors of 512 bits" },
        unjudged { groups = { "ASSAY_FLOPS_SP" }, metrics = { "512-bit FLOPs SP" }, reason = "no code has vectors of 512 bits" },
    },
    cannot = {
        absent { quantity = "AVX to SSE transitions", reason = "upper halves are kept without an assist: there is no such event" },
        absent { quantity = "SSE to AVX transitions", reason = "upper halves are kept without an assist: there is no such event" },
        absent {
            quantity = "AVX to SSE transitions per instruction",
            reason = "upper halves are kept without an assist: there is no such event",
        },
        absent { quantity = "FLOPs", reason = "each width of each precision has a counter of its own: eight, and there are four" },
        absent {
            quantity = "divider uops",
            reason = "ARITH_DIVIDER_ACTIVE counts cycles of a busy divider; its edges, ARITH_DIVIDER_COUNT, count divisions in a row once",
        },
    },
    filters = {
        filter { options = "MATCH0=0x0001:MATCH1=0x10003C", name = "DEMAND_DATA_RD.LLC_HIT.HITM_OTHER_CORE" },
        filter { options = "MATCH0=0x0001:MATCH1=0x103FC0", name = "DEMAND_DATA_RD.LLC_MISS.REMOTE_HITM" },
        filter { options = "MATCH0=0x0001:MATCH1=0x60400", name = "DEMAND_DATA_RD.LLC_MISS.LOCAL_DRAM" },
        filter { options = "MATCH0=0x0001:MATCH1=0x63800", name = "DEMAND_DATA_RD.LLC_MISS.REMOTE_DRAM" },
        filter { options = "MATCH0=0x05B3:MATCH1=0x63FC0", name = "DATA_RD+RFO+PREFETCHES.LLC_MISS.ANY_DRAM" },
        filter { options = "STATE=0x3FF", name = "ANY_STATE" },
    },
    -- From Intel's event list (SKX 1.37), which names them for these events and not for the fixed instruction counter. The numbers are
    -- those of the client processors' specification update, which was not read: the errata are not described here.
    errata = {
        erratum {
            id = "SKL044",
            events = { "INSTR_RETIRED_ANY", "INST_RETIRED_ANY" },
            about = "Intel's event list names this erratum but does not describe it.",
        },
        erratum {
            id = "SKL057",
            events = { "LONGEST_LAT_CACHE_MISS", "LONGEST_LAT_CACHE_REFERENCE" },
            about = "Intel's event list names this erratum but does not describe it.",
        },
        erratum {
            id = "SKL089",
            events = { "MACHINE_CLEARS_MEMORY_ORDERING" },
            about = "Intel's event list names this erratum but does not describe it.",
        },
        erratum {
            id = "SKL091",
            events = {
                "INSTR_RETIRED_ANY",
                "INST_RETIRED_ANY",
                "BR_INST_RETIRED_ALL_BRANCHES",
                "BR_INST_RETIRED_CONDITIONAL",
                "BR_INST_RETIRED_NEAR_CALL",
                "BR_INST_RETIRED_NEAR_RETURN",
                "BR_INST_RETIRED_NOT_TAKEN",
                "BR_INST_RETIRED_NEAR_TAKEN",
                "BR_INST_RETIRED_FAR_BRANCH",
            },
            about = "Masked moves (VMASKMOV), REP MOVS and REP STOS may count too many instructions and branches.",
        },
    },
}
