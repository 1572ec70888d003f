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
        -- Intel's own
        without = {
            "dts", "acpi", "ss", "tm", "pbe", "dtes64", "ds_cpl", "vmx", "smx", "est", "tm2", "sdbg", "xtpr", "pdcm",
            "tsc_deadline_timer", "tsc_adjust",
        },
        page = 4096,
        line = 64,
        clock_hz = 2400000000, -- chosen
        uncore_hz = 1600000000, -- the data fabric's: chosen
        instructions_per_cycle_x4 = 4, -- one a cycle: no fraction of a cycle is carried into a region
        branch_penalty = 13, -- chosen
        walk_latency = 30, -- chosen
        dtlb = tlb { entries = 64, ways = 64 },
        itlb = tlb { entries = 64, ways = 64 },
        -- Of data, pages of 4 KiB, as CPUID 0x80000006 says it; instructions have one of 512 entries and 4 ways, the node one for both.
        stlb = tlb { entries = 2048, ways = 8 },
        memory_bytes = 4 << 30, -- as shown to programs
        channels = 8, -- as many as Linux names DRAM channel events
        home_agents = 0,
        memory_latency = 230, -- chosen
        remote_latency = 400, -- chosen
        links = 4, -- to other sockets: as many as Linux names remote link controllers
        shape = "1x4",
        sockets = { 1, 2 },
        max_cores = 64,
    },
    -- From the core outwards. Sizes are the virtual node's; a native node's come from its topology.
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
        -- Of a core complex: 32 MiB for 16 threads (CPUID 0x8000001d), in slices that Linux numbers with three bits. That processors with
        -- fewer cores to a complex keep all slices, the protocol and the shadow tags are chosen.
        level {
            name = "L3",
            size = 4 << 20, -- of a slice
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
    probe = probe { counter = "PMC0", event = "RETIRED_INSTRUCTIONS" },
    counters = {
        counters { name = "FIXC", count = 3, bits = 64, fixed = true },
        -- FLOPs, up to 64 a cycle, need the next counter as well (MERGE); on which counters is LIKWID's limit.
        counters {
            name = "PMC",
            count = 6,
            bits = 48,
            only = { RETIRED_SSE_AVX_FLOPS_ALL = { 2 }, RETIRED_SSE_AVX_FLOPS_DIV = { 2 }, MERGE = { 3 } },
        },
        counters { name = "CPMC", count = 6, bits = 48 },
        counters { name = "DFC", count = 4, bits = 48 },
    },
    traffic = {
        traffic {
            boundary = "L1-L2",
            group = "ASSAY_L2",
            scope = "core",
            tolerance_pct = 1,
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
            reason = "instruction fetches go through L2 as well",
            volume = { load = "L2-L3 load volume" },
            bandwidth = { load = "L2-L3 load bandwidth" },
            lacks = {
                evict = "no event counts the lines that L2 gives to L3",
                total = "no event counts the lines that L2 gives to L3",
            },
        },
    },
    -- The data fabric counts reads and writes together, and has four counters for eight channels.
    parts = {
        part {
            boundary = "L3-MEM",
            direction = "total",
            group = "ASSAY_MEM1",
            scope = "socket",
            tolerance_pct = 2,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
            metric = "DRAM channels 0-3 volume",
            boxes = 4,
            of_boxes = 8,
        },
        part {
            boundary = "L3-MEM",
            direction = "total",
            group = "ASSAY_MEM2",
            scope = "socket",
            tolerance_pct = 2,
            reason = "the channels serve the whole socket: operating system, page tables, other programs",
            metric = "DRAM channels 4-7 volume",
            boxes = 4,
            of_boxes = 8,
        },
        -- What one core reads of it.
        part {
            boundary = "L3-MEM",
            direction = "load",
            group = "ASSAY_CORE_MEM",
            scope = "core",
            tolerance_pct = 2,
            reason = "page tables and instructions come from memory, too",
            metric = "Memory read volume of the core",
            spare = true,
        },
    },
    -- What the code itself does. `quantity` is what patterns call it.
    counts = {
        count {
            quantity = "FLOPs",
            group = "ASSAY_FLOPS",
            metric = "FLOPs",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired operations are countable exactly; the Marker API may add a few",
        },
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
            reason = "the Marker API's own lines come from memory, too",
        },
    },
    cannot = {
        absent { quantity = "AVX operations", reason = "the event for FLOPs counts lanes, of scalars and of all widths together" },
        absent { quantity = "AVX FLOPs DP", reason = "the event for FLOPs tells neither widths nor precisions apart" },
        absent { quantity = "AVX FLOPs SP", reason = "the event for FLOPs tells neither widths nor precisions apart" },
        absent { quantity = "FLOPs DP", reason = "the event for FLOPs does not tell precisions apart" },
        absent { quantity = "FLOPs SP", reason = "the event for FLOPs does not tell precisions apart" },
        absent { quantity = "divider uops", reason = "divisions of floating-point numbers are counted in FLOPs, not in micro-operations" },
        absent { quantity = "loads modified", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "loads modified here", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "loads modified there", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "reads modified here", reason = "events say from which cache a line came, not whether it was modified there" },
        absent { quantity = "reads modified there", reason = "events say from which cache a line came, not whether it was modified there" },
    },
    -- Events by the kernel patch "perf/amd: Implement erratum #1292 workaround for F19h M00-0Fh" (v3, 2022-02-03), from AMD. It speaks of
    -- affected floating-point events too, and names none.
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
            about = "Events at retirement may be counted too high; what AMD proposes against it is a bit that LIKWID does not set.",
        },
    },
}
