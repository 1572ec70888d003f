-- Zen 3 (Milan): the processor and its levels, counters, which group and metric shows which traffic, and published errata of the events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations only (fields: lua/input/architecture.lua). Sources:
--   InstLatx64 (github), CPUID of an EPYC 7763 (AuthenticAMD0A00F11_K19_Milan_02): signature, physical bits, caches, TLBs, `without`
--   InstLatx64, memory latencies of a Ryzen 9 5900X (AuthenticAMD0A20F10_K19_Vermeer2_NewMemLat): L2 12 to 15 cycles, L3 45 to 51
--   Linux, arch/x86/events/amd/uncore.c and tools/perf/pmu-events/arch/x86/amdzen3: counters and events; LIKWID 5.2.2: names, counters
-- AMD's manuals were not opened. What is marked "chosen" is a parameter of the virtual node that no source above gives.
return machine {
    arch = "zen3",
    title = "AMD EPYC 7003 (Milan, Zen 3)",
    processor = processor {
        vendor = "AuthenticAMD",
        cpu = "AMD EPYC 7xx3 Processor (virtual)",
        signature = 0xa00f11, -- CPUID leaf 1, EAX: family 25, model 1, stepping 1
        physical_bits = 48,
        -- Intel only
        without = {
            "dts", "acpi", "ss", "tm", "pbe", "dtes64", "ds_cpl", "vmx", "smx", "est", "tm2", "sdbg", "xtpr", "pdcm",
            "tsc_deadline_timer", "tsc_adjust",
        },
        page = 4096,
        large_page = 2 << 20, -- in the same TLBs as small pages (WikiChip, Zen 2)
        line = 64,
        clock_hz = 2400000000, -- chosen
        uncore_hz = 1600000000, -- data fabric; chosen
        instructions_per_cycle_x4 = 4, -- in quarters: one a cycle, so that regions start on whole cycles
        branch_penalty = 13, -- chosen
        walk_latency = 30, -- chosen
        dtlb = tlb { entries = 64, ways = 64 },
        itlb = tlb { entries = 64, ways = 64 },
        -- Data TLB for 4 KiB pages (CPUID 0x80000006). The processor has another one for instructions, with 512 entries and 4 ways; virtual
        -- nodes use one for both.
        stlb = tlb { entries = 2048, ways = 8 },
        memory_bytes = 4 << 30, -- memory size that programs see
        channels = 8, -- one for each DRAM channel event in Linux
        home_agents = 0,
        memory_latency = 230, -- chosen
        remote_latency = 400, -- chosen
        links = 4, -- to other sockets: one for each remote link controller in Linux
        shape = "1x4",
        sockets = { 1, 2 },
        max_cores = 64,
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
            size = 512 << 10,
            ways = 8,
            latency = 12,
            cores = 1,
            load_from = "L3",
            victims_to = "L3",
            write_allocate = true,
            write_back = true,
        },
        -- Per core complex: 32 MiB for 16 threads (CPUID 0x8000001d), in slices that Linux numbers with three bits. Chosen: the
        -- protocol, the shadow tags, and that processors with fewer cores per complex keep all slices.
        level {
            name = "L3",
            size = 4 << 20, -- per slice
            slices = 8,
            ways = 16,
            latency = 46,
            cores = 8,
            store_to = "MEM",
            inclusive = false,
            protocol = "MOESI",
            directory = "shadow_tags",
        },
    },
    mca = "znver3",
    osaca = "ZEN3",
    probe = probe { counter = "PMC0", event = "RETIRED_INSTRUCTIONS" },
    counters = {
        counters { name = "FIXC", count = 3, bits = 64, fixed = true },
        -- The FLOPs event counts up to 64 a cycle and occupies the next counter, too (MERGE). LIKWID restricts which counters can do this.
        counters {
            name = "PMC",
            count = 6,
            bits = 48,
            only = {
                RETIRED_SSE_AVX_FLOPS_ADD_SUB = { 2 },
                RETIRED_SSE_AVX_FLOPS_MULT = { 2 },
                RETIRED_SSE_AVX_FLOPS_DIV = { 2 },
                RETIRED_SSE_AVX_FLOPS_ADD_MULT_DIV = { 2 },
                RETIRED_SSE_AVX_FLOPS_FMA = { 2 },
                RETIRED_SSE_AVX_FLOPS_ALL = { 2 },
                MERGE = { 3 },
            },
            with = {
                RETIRED_SSE_AVX_FLOPS_ADD_SUB = "MERGE",
                RETIRED_SSE_AVX_FLOPS_MULT = "MERGE",
                RETIRED_SSE_AVX_FLOPS_DIV = "MERGE",
                RETIRED_SSE_AVX_FLOPS_ADD_MULT_DIV = "MERGE",
                RETIRED_SSE_AVX_FLOPS_FMA = "MERGE",
                RETIRED_SSE_AVX_FLOPS_ALL = "MERGE",
            },
        },
        counters { name = "CPMC", count = 6, bits = 48, shared_by = "domain" },
        counters { name = "DFC", count = 4, bits = 48, shared_by = "socket" },
    },
    traffic = {
        traffic {
            boundary = "L1-L2",
            group = "ASSAY_L2",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.18,
            reason = "stack and Marker API share the L1 data cache with the streams",
            volume = { load = "L1-L2 load volume" },
            bandwidth = { load = "L1-L2 load bandwidth" },
            lacks = {
                evict = "no event counts the lines that the L1 data cache writes back",
                total = "no event counts the lines that the L1 data cache writes back",
            },
        },
        traffic {
            boundary = "L2-L3",
            group = "ASSAY_L3",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.15,
            reason = "instruction fetches go through L2 as well",
            volume = { load = "L2-L3 load volume" },
            bandwidth = { load = "L2-L3 load bandwidth" },
            lacks = {
                evict = "no event counts the lines that L2 gives to L3",
                total = "no event counts the lines that L2 gives to L3",
            },
        },
    },
    -- The data fabric counts reads and writes together and has four counters for eight channels.
    parts = {
        part {
            boundary = "L3-MEM",
            direction = "total",
            group = "ASSAY_MEM1",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
            metric = "DRAM channels 0-3 volume",
            bandwidth = "DRAM channels 0-3 bandwidth",
            boxes = 4,
            of_boxes = 8,
        },
        part {
            boundary = "L3-MEM",
            direction = "total",
            group = "ASSAY_MEM2",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
            metric = "DRAM channels 4-7 volume",
            bandwidth = "DRAM channels 4-7 bandwidth",
            boxes = 4,
            of_boxes = 8,
        },
        part {
            boundary = "L3-MEM",
            direction = "total",
            group = "ASSAY_MEM1",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
            boxes = 1,
            of_boxes = 8,
            shows = {
                shown { metric = "DRAM channel 0 volume" },
                shown { metric = "DRAM channel 1 volume" },
                shown { metric = "DRAM channel 2 volume" },
                shown { metric = "DRAM channel 3 volume" },
            },
        },
        part {
            boundary = "L3-MEM",
            direction = "total",
            group = "ASSAY_MEM2",
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
            boxes = 1,
            of_boxes = 8,
            shows = {
                shown { metric = "DRAM channel 4 volume" },
                shown { metric = "DRAM channel 5 volume" },
                shown { metric = "DRAM channel 6 volume" },
                shown { metric = "DRAM channel 7 volume" },
            },
        },
        -- One core's reads from memory.
        part {
            boundary = "L3-MEM",
            direction = "load",
            group = "ASSAY_CORE_MEM",
            scope = "core",
            tolerance_pct = 2,
            virtual_pct = 0.5,
            reason = "page tables and instructions come from memory, too",
            metric = "Memory read volume of the core",
            spare = true,
        },
    },
    -- Counts of the code's work; `quantity` is the name that patterns use.
    alike = {
        "ASSAY_BRANCH", "ASSAY_SYNC", "ASSAY_FLOPS",
    },
    counts = {
        count {
            quantity = "multiply-add elements",
            group = "ASSAY_FLOPS",
            metric = "Multiply-add elements",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired operations are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "memory read volume",
            group = "ASSAY_CORE_MEM",
            metric = "Memory read volume of the core",
            scope = "core",
            tolerance_pct = 2,
            virtual_pct = 0.5,
            reason = "the Marker API's own lines come from memory, too",
        },
        count {
            quantity = "cycles per instruction",
            group = "ASSAY_FLOPS",
            metric = "CPI",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "the Marker API adds instructions, and cycles",
        },
        count {
            quantity = "region time",
            group = "ASSAY_FLOPS",
            metric = "Runtime (RDTSC)",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "reading the counters takes time",
        },
        count {
            quantity = "division FLOPs",
            group = "ASSAY_DIVIDER",
            metric = "Division FLOPs",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired operations are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "division FLOPs per instruction",
            group = "ASSAY_DIVIDER",
            metric = "Division FLOPs per instruction",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "both counts are exact; the Marker API adds instructions",
        },
        count {
            quantity = "memory read volume",
            group = "ASSAY_CORE_MEM",
            metric = "Memory read bandwidth of the core",
            rate = true,
            scope = "core",
            tolerance_pct = 2,
            virtual_pct = 0.5,
            reason = "the Marker API's own lines come from memory, too",
        },
        count {
            group = "ASSAY_HITS",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.5,
            reason = "stores and the Marker API fetch lines, too",
            shows = {
                shown { quantity = "loads from L2", metric = "Lines into L1 from L2" },
                shown { quantity = "loads from L3", metric = "Lines into L1 from L3" },
                shown { quantity = "loads past L2", metric = "Lines into L1 from past L2" },
                shown { quantity = "loads past L2 per instruction", metric = "Lines into L1 from past L2 per instruction" },
                shown { quantity = "loads past L3", metric = "Lines into L1 from DRAM" },
            },
        },
        count {
            group = "ASSAY_TLB",
            scope = "core",
            tolerance_pct = 1,
            virtual_pct = 0.5,
            reason = "the Marker API accesses pages, too",
            shows = {
                shown { quantity = "second-level TLB hits", metric = "Second-level TLB hits of data" },
                shown { quantity = "page walks", metric = "Page walks of data" },
            },
        },
        count {
            group = "ASSAY_NUMA",
            scope = "core",
            tolerance_pct = 2,
            virtual_pct = 0.5,
            reason = "the Marker API's own lines come from memory, too",
            shows = {
                shown { quantity = "reads from own memory", metric = "Lines from own memory" },
                shown { quantity = "reads from other memory", metric = "Lines from other memory" },
                shown { quantity = "remote share of memory reads", metric = "Remote share of lines" },
            },
        },
        count {
            quantity = "split loads",
            group = "ASSAY_SPLIT",
            metric = "Split loads",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "loads are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "loads not forwarded",
            group = "ASSAY_BLOCKS",
            metric = "Loads not forwarded",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "loads in a loop are known exactly; some loads of the Marker API may wait for stores, too",
        },
        count {
            quantity = "loads not forwarded per instruction",
            group = "ASSAY_BLOCKS",
            metric = "Loads not forwarded per instruction",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "both counts are exact; the Marker API adds instructions",
        },
        count {
            quantity = "arithmetic intensity at memory",
            group = "ASSAY_INTENSITY",
            metric = "Arithmetic intensity",
            code = { flops = 1 },
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
        },
        count {
            quantity = "performance",
            group = "ASSAY_INTENSITY",
            metric = "Performance",
            code = { flops = 1 },
            rate = true,
            scope = "core",
            tolerance_pct = 0.1,
            reason = "inherited from the operations that it is computed from",
        },
        count {
            quantity = "memory volume",
            group = "ASSAY_MEM1",
            metric = "DRAM channels 0-3 volume",
            times = 0.5, -- half of the channels
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
        },
        count {
            quantity = "memory volume",
            group = "ASSAY_MEM2",
            metric = "DRAM channels 4-7 volume",
            times = 0.5, -- half of the channels
            scope = "socket",
            tolerance_pct = 2,
            virtual_pct = 0.18,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
        },
    },
    unjudged = {
        unjudged {
            groups = {
                "ASSAY_BLOCKS", "ASSAY_BRANCH", "ASSAY_CORE_MEM", "ASSAY_DIVIDER", "ASSAY_FLOPS", "ASSAY_HITS",
                "ASSAY_INTENSITY", "ASSAY_L2", "ASSAY_L3", "ASSAY_MEM1", "ASSAY_MEM2",
                "ASSAY_NUMA", "ASSAY_SPLIT", "ASSAY_SYNC", "ASSAY_TLB",
            },
            metrics = { "Runtime unhalted", "Clock" },
            reason = "LIKWID tries to write APERF and MPERF, which are read-only: a processor may refuse that",
        },
    },
    -- Groups that assume lines interleaved over all channels of a socket. With NPS2 or NPS4 a domain has four or two channels.
    one_numa = { "ASSAY_INTENSITY", "ASSAY_MEM1", "ASSAY_MEM2" },
    cannot = {
        absent { quantity = "AVX to SSE transitions", reason = "no event counts transitions between SSE and AVX" },
        absent { quantity = "SSE to AVX transitions", reason = "no event counts transitions between SSE and AVX" },
        absent { quantity = "AVX to SSE transitions per instruction", reason = "no event counts transitions between SSE and AVX" },
        absent { quantity = "clock", reason = "LIKWID tries to write MPERF and APERF, which are read-only: a processor may refuse that" },
        absent { quantity = "unhalted time", reason = "LIKWID tries to write APERF, which is read-only: a processor may refuse that" },
        absent {
            quantity = "AVX operations per instruction",
            reason = "the event for FLOPs adds scalar operations and lanes of all widths",
        },
        absent { quantity = "reads modified", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "AVX operations", reason = "the event for FLOPs adds scalar operations and lanes of all widths" },
        absent { quantity = "AVX FLOPs DP", reason = "the event for FLOPs tells neither widths nor precisions apart" },
        absent { quantity = "AVX FLOPs SP", reason = "the event for FLOPs tells neither widths nor precisions apart" },
        absent { quantity = "FLOPs DP", reason = "the event for FLOPs does not tell precisions apart" },
        absent { quantity = "FLOPs SP", reason = "the event for FLOPs does not tell precisions apart" },
        absent { quantity = "share of vectors DP", reason = "the event for FLOPs does not separate scalars from vectors" },
        absent { quantity = "loads from own memory", reason = "lines are counted by where they came from, not loads" },
        absent { quantity = "loads from other memory", reason = "lines are counted by where they came from, not loads" },
        absent { quantity = "L3-MEM load volume", reason = "the channels of memory count reads and writes together" },
        absent { quantity = "locked loads", reason = "locked instructions are counted by how they were executed, which no model knows" },
        absent {
            quantity = "locked loads per instruction",
            reason = "locked instructions are counted by how they were executed, which no model knows",
        },
        absent { quantity = "aliased loads", reason = "no event counts loads that a store of another page holds up" },
        absent { quantity = "aliased loads per instruction", reason = "no event counts loads that a store of another page holds up" },
        absent { quantity = "loads from L1", reason = "no event counts the loads that hit the L1 data cache" },
        absent { quantity = "divider uops", reason = "divisions of floating-point numbers are counted in FLOPs, not in micro-operations" },
        absent { quantity = "loads modified", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "loads modified here", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "loads modified there", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "reads modified here", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "reads modified there", reason = "events say from which cache a line came, not whether it was modified there" },
    },
    -- Events from AMD's kernel patch "perf/amd: Implement erratum #1292 workaround for F19h M00-0Fh" (v3, 2022-02-03). The patch also
    -- mentions affected floating-point events without naming them.
    errata = {
        erratum {
            id = "1292",
            events = {
                "RETIRED_INSTRUCTIONS",
                "RETIRED_UOPS",
                "RETIRED_BRANCH_INSTR",
                "RETIRED_MISP_BRANCH_INSTR",
                "RETIRED_TAKEN_BRANCH_INSTR",
                "RETIRED_TAKEN_MISP_BRANCH_INSTR",
                "RETIRED_NEAR_RETURNS",
                "RETIRED_NEAR_RETURNS_MISP",
                "RETIRED_INDIRECT_BRANCHES_MISP",
                "RETIRED_INDIRECT_BRANCH_INSTR",
                "RETIRED_COND_BRANCH_INSTR",
                "RETIRED_MISP_BRANCH_INSTR_DIRECTION_MISMATCH",
                "RETIRED_FUSED_BRANCH_INSTR",
            },
            about = "Events at retirement may be counted too high. AMD's workaround sets a bit that LIKWID does not set.",
        },
    },
}
