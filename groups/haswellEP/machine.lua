-- Haswell-EP: cache policy, counters, which group and metric shows which traffic, and published errata of the events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations only (fields: lua/schema.lua). Sizes are the node's, not the architecture's: they come from its topology.
return machine {
    arch = "haswellEP",
    title = "Intel Xeon E5/E7 v3 (Haswell-EP, -EX)",
    counter_bits = 48,
    -- Eight PMCs with one thread per core, four with SMT: groups must fit four to run everywhere.
    counters = {
        counters { name = "FIXC", count = 3, fixed = true },
        counters { name = "PMC", count = 4 },
        counters { name = "MBOX", boxes = 8, count = 4 },
        counters { name = "BBOX", boxes = 2, count = 4 },
        counters { name = "CBOX", boxes = 18, count = 4, shared_options = { "STATE", "OPCODE", "NID", "TID", "MATCH0" } },
    },
    -- inclusive: the level contains whatever the levels above it hold.
    caches = {
        cache { level = 1, write_allocate = true, write_back = true, inclusive = false },
        cache { level = 2, write_allocate = true, write_back = true, inclusive = false },
        cache { level = 3, write_allocate = true, write_back = true, inclusive = true },
    },
    traffic = {
        traffic {
            boundary = "L1-L2",
            group = "ASSAY_L2",
            scope = "core",
            tolerance_pct = 1,
            reason = "stack and Marker API share the L1 data cache with the streams",
            volume = { load = "L1-L2 load volume", evict = "L1-L2 evict volume", total = "L1-L2 volume" },
            bandwidth = { load = "L1-L2 load bandwidth", evict = "L1-L2 evict bandwidth", total = "L1-L2 bandwidth" },
        },
        traffic {
            boundary = "L2-L3",
            group = "ASSAY_L3",
            scope = "core",
            tolerance_pct = 1,
            reason = "instruction fetches and page walks go through L2 as well",
            volume = { load = "L2-L3 load volume", evict = "L2-L3 evict volume", total = "L2-L3 volume" },
            bandwidth = { load = "L2-L3 load bandwidth", evict = "L2-L3 evict bandwidth", total = "L2-L3 bandwidth" },
        },
        traffic {
            boundary = "L3-MEM",
            group = "ASSAY_MEM",
            scope = "socket",
            tolerance_pct = 2,
            reason = "the controllers serve the whole socket: operating system, page tables, other programs",
            volume = { load = "iMC read volume", evict = "iMC write volume", total = "iMC volume" },
            bandwidth = { load = "iMC read bandwidth", evict = "iMC write bandwidth", total = "iMC bandwidth" },
        },
        traffic {
            boundary = "L3-MEM",
            group = "ASSAY_HA",
            scope = "socket",
            tolerance_pct = 2,
            reason = "the home agents serve the whole socket: operating system, page tables, other programs",
            volume = { load = "HA read volume", evict = "HA write volume", total = "HA volume" },
            bandwidth = { load = "HA read bandwidth", evict = "HA write bandwidth", total = "HA bandwidth" },
        },
    },
    -- What the code itself does. `quantity` is what patterns call it.
    counts = {
        count {
            quantity = "AVX operations",
            group = "ASSAY_AVX",
            metric = "AVX operations",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "retired instructions are countable exactly; the Marker API may add a few",
        },
        count {
            quantity = "AVX FLOPs DP",
            group = "ASSAY_AVX",
            metric = "AVX FLOPs DP",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "as the operations that it is computed from",
        },
        count {
            quantity = "AVX FLOPs SP",
            group = "ASSAY_AVX",
            metric = "AVX FLOPs SP",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "as the operations that it is computed from",
        },
        count {
            quantity = "multiply-add elements",
            group = "ASSAY_AVX",
            metric = "Multiply-add elements DP",
            scope = "core",
            tolerance_pct = 0.1,
            reason = "as the operations that it is computed from",
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
            quantity = "loads modified here",
            group = "ASSAY_SHARING",
            metric = "Loads of lines modified in this socket",
            scope = "core",
            tolerance_pct = 1,
            reason = "the lines of the synchronisation and of the Marker API move, too",
        },
        count {
            quantity = "loads modified there",
            group = "ASSAY_SHARING",
            metric = "Loads of lines modified in another socket",
            scope = "core",
            tolerance_pct = 1,
            reason = "the lines of the synchronisation and of the Marker API move, too",
        },
        count {
            quantity = "loads modified",
            group = "ASSAY_SHARING",
            metric = "Loads of modified lines",
            scope = "core",
            tolerance_pct = 1,
            reason = "the lines of the synchronisation and of the Marker API move, too",
        },
        count {
            quantity = "reads modified here",
            group = "ASSAY_SHARING",
            metric = "Reads of lines modified in this socket",
            scope = "core",
            tolerance_pct = 1,
            reason = "the lines of the synchronisation and of the Marker API move, too",
        },
        count {
            quantity = "reads modified there",
            group = "ASSAY_SHARING",
            metric = "Reads of lines modified in another socket",
            scope = "core",
            tolerance_pct = 1,
            reason = "the lines of the synchronisation and of the Marker API move, too",
        },
        count {
            quantity = "memory read volume",
            group = "ASSAY_CORE_MEM",
            metric = "Memory read volume of the core",
            scope = "core",
            tolerance_pct = 2,
            reason = "page tables and instructions come from memory, too",
        },
    },
    -- Micro-operations that the divider does for one division or root (Fog, Instruction tables: Haswell).
    divider_uops = { bits128 = 1, bits256 = 2 },
    -- Intel's specification updates; the client text carries HSD numbers, the server part's list names the same events.
    errata = {
        erratum {
            id = "HSD25",
            events = {
                "MEM_LOAD_UOPS_RETIRED_L3_HIT",
                "MEM_LOAD_UOPS_RETIRED_L3_MISS",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_MISS",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HIT",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM",
                "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_NONE",
            },
            about = "L3 hits, misses and snoop results of retired loads may be wrong by up to 40 %.",
        },
        erratum {
            id = "HSD29",
            events = { "MEM_UOPS_RETIRED_LOADS", "MEM_UOPS_RETIRED_STORES", "MEM_LOAD_UOPS_RETIRED_L1_HIT" },
            about = "With SMT, memory events at retirement may be lost or counted on the other hardware thread.",
        },
        erratum {
            id = "HSD74",
            events = { "MEM_LOAD_UOPS_RETIRED_L3_HIT", "MEM_LOAD_UOPS_RETIRED_L3_MISS" },
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
            events = { "INSTR_RETIRED_ANY" },
            about = "With SMT, the fixed instruction counter may be too high by up to 32.",
        },
        erratum {
            id = "HSD150",
            events = { "OFFCORE_RESPONSE_0_OPTIONS", "OFFCORE_RESPONSE_1_OPTIONS" },
            about = "Write-backs, L3 prefetches and streaming stores are counted too low by the offcore-response events.",
        },
    },
}
