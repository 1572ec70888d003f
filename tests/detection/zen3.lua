-- zen3.lua - the rows of the detection matrix on Zen 3's virtual nodes (fields: series.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local shared = require "shared"

return {
    none = {
        CPU_CLOCKS_UNHALTED = "cycles: of a virtual node's nothing exact is claimed",
        ACTUAL_CPU_CLOCK = "as above",
        MAX_CPU_CLOCK = "as above",
        RETIRED_LOCK_INSTR_BUS_LOCK = "a virtual node counts all locked instructions as RETIRED_LOCK_INSTR_SPEC_LOCK_HI_SPEC",
        RETIRED_LOCK_INSTR_NON_SPEC_LOCK = "as above",
        RETIRED_LOCK_INSTR_SPEC_LOCK_LO_SPEC = "as above",
    },
    rows = {
        { pattern = "bandwidth_saturation", only = "copy", level = "L2", placement = "S0:1", group = "ASSAY_L2",
            metric = "L1-L2 load volume", quick = true, swap = { "L1_DC_REFILLS_DRAM", class = "missing" } }, -- L1 is refilled from L2
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L3",
            placement = "S0:1",
            group = "ASSAY_L3",
            rows = { -- nothing is prefetched on the virtual node
                { metric = "L2-L3 load volume", events = { "L2_CACHE_MISS_AFTER_L1_MISS" },
                    swap = { "L2_PF_HIT_IN_L2", class = "missing" } },
                { metric = "L2-L3 load volume", events = { "L2_PF_HIT_IN_L3" }, faults = { "add", "swap" },
                    swap = { "L2_CACHE_MISS_AFTER_L1_MISS", class = "multiplicative", factor = 2 } },
                { metric = "L2-L3 load volume", events = { "L2_PF_MISS_IN_L3" }, faults = { "add", "swap" },
                    swap = { "L2_CACHE_MISS_AFTER_L1_MISS", class = "multiplicative", factor = 2 } },
            },
        },
        {
            pattern = "avx_flops",
            only = "daxpy", -- all points: 16 regions leave a chance of 7 % that no spike is drawn
            group = "ASSAY_FLOPS",
            metric = "FLOPs",
            swap = { "RETIRED_SSE_AVX_FLOPS_MULT", class = "multiplicative", factor = 0.5 }, -- multiply and add
            quick = true,
        },
        { pattern = "load_imbalance", only = "halved", group = "ASSAY_FLOPS", metric = "Multiply-add elements", quick_points = true },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            node = "virtual:tests/nodes/zen3_small.lua",
            rows = {
                {
                    group = "ASSAY_MEM1",
                    metric = "DRAM channels 0-3 volume",
                    soon = 0.45, -- one region has most of all counts
                    swap = { "DF_EVENT_REMOTE_1", class = "missing" }, -- there is no other socket
                },
                { group = "ASSAY_MEM2", metric = "DRAM channels 4-7 volume", swap = { "DF_EVENT_REMOTE_1", class = "missing" },
                    soon = 0.45 }, -- one region has most of all counts
            },
        },
        { pattern = "load_imbalance", only = "halved", group = "ASSAY_CORE_MEM", metric = "Memory read volume of the core",
            events = { "L1_DC_REFILLS_DRAM" }, node = "virtual:tests/nodes/zen3_small.lua" },
        shared.branches,
        shared.useful_operations,
        { pattern = "synchronisation", only = "apart", group = "ASSAY_SYNC", quick_points = true, metric = "Instructions",
            faults = { "scale 0.6", "scale 1.05", "scale 3", "jitter", "stuck" } },
        { pattern = "long_latency", only = "div_avx", group = "ASSAY_DIVIDER", metric = "Division FLOPs",
            swap = { "RETIRED_SSE_AVX_FLOPS_MULT", class = "missing" } }, -- nothing is multiplied
        { pattern = "pipelining", only = "divide", group = "ASSAY_INT_DIVIDER", metric = "Integer divisions", quick_points = true },
        { pattern = "instruction_overhead", only = "triad", group = "ASSAY_VECTORS", metric = "Vector instructions", quick_points = true },
        { pattern = "atomic_updates", only = "shared", group = "ASSAY_LOCKS", metric = "Locked loads", quick_points = true,
            events = { "RETIRED_LOCK_INSTR_SPEC_LOCK_HI_SPEC" } },
        { pattern = "false_sharing", only = "in_turn", placement = "S0:2", group = "ASSAY_SHARING", metric = "Stores to shared lines" },
        { pattern = "false_sharing", only = "in_turn", placement = "S0:1@S1:1", group = "ASSAY_SHARING",
            metric = "Lines from caches of another socket", node = "virtual:tests/nodes/zen3_two.lua" },
        { pattern = "latency_bound", only = "short", group = "ASSAY_HITS", metric = "Lines into L1 from L2",
            node = "virtual:tests/nodes/zen3_mid.lua" },
        {
            pattern = "latency_bound",
            only = "random",
            node = "virtual:tests/nodes/zen3_lists.lua",
            rows = {
                -- at 1.5 it wraps between two regions, where it is not read
                { group = "ASSAY_HITS", metric = "Lines into L1 from DRAM", soon = 0.7 },
                { group = "ASSAY_HITS", metric = "Lines into L1 from L3" },
                { group = "ASSAY_TLB", metric = "Second-level TLB hits of data" },
                -- at 1.5 it wraps between two regions, where it is not read
                { group = "ASSAY_TLB", metric = "Page walks of data", soon = 1.1 },
            },
        },
        { pattern = "page_placement", only = "by_users", group = "ASSAY_NUMA", metric = "Lines from own memory",
            node = "virtual:tests/nodes/zen3_two.lua", soon = 0.45 }, -- one region has most of all counts
        { pattern = "page_placement", only = "in_turn", group = "ASSAY_NUMA", metric = "Lines from other memory",
            node = "virtual:tests/nodes/zen3_two.lua", soon = 0.45 }, -- one region has most of all counts
        { pattern = "arithmetic_intensity", only = "dgemm", group = "ASSAY_INTENSITY", metric = "Arithmetic intensity",
            events = { "RETIRED_SSE_AVX_FLOPS_ALL" }, quick_points = true },
        shared.split_loads,
        { pattern = "alu_saturation", only = "from_l2", group = "ASSAY_SPLIT", metric = "Accesses", events = { "LS_DISPATCH_ALL" },
            quick_points = true },
        { pattern = "ineffective_instructions", only = "remainders", group = "ASSAY_FLOPS", metric = "FLOPs", quick_points = true },
        shared.store_forwarding,
    },
}
