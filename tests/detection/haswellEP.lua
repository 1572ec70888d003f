-- haswellEP.lua - the rows of the detection matrix on Haswell-EP's virtual nodes (fields: series.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local shared = require "shared"

return {
    none = {
        CPU_CLK_UNHALTED_CORE = "cycles: of a virtual node's nothing exact is claimed",
        CPU_CLK_UNHALTED_REF = "as above",
    },
    rows = {
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L2",
            placement = "S0:1",
            group = "ASSAY_L2",
            rows = {
                -- copy evicts one of the two lines that it loads
                { metric = "L1-L2 load volume", quick = true, swap = { "L2_TRANS_L1D_WB", class = "multiplicative", factor = 0.5 } },
                { metric = "L1-L2 evict volume", swap = { "L1D_REPLACEMENT", class = "multiplicative", factor = 2 } },
            },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L3",
            placement = "S0:1",
            rows = {
                { group = "ASSAY_L3", metric = "L2-L3 load volume", swap = { "L2_TRANS_L2_WB", class = "multiplicative", factor = 0.5 } },
                { group = "ASSAY_L3", metric = "L2-L3 evict volume", swap = { "L2_LINES_IN_ALL", class = "multiplicative", factor = 2 } },
                -- data in L3 displace nothing from it
                { group = "ASSAY_CBOX", metric = "CBOX data reads volume", swap = { "LLC_VICTIMS_M", class = "missing" } },
            },
        },
        -- A non-temporal store inserts a line that is no data read. A quick run has one size, so the class is "unknown".
        { pattern = "bandwidth_saturation", only = "copy_nt", level = "MEM", placement = "S0:1", quick_points = true,
            node = "virtual:tests/nodes/small_cache.lua", group = "ASSAY_CBOX", metric = "CBOX data reads volume",
            events = { "TOR_INSERTS_LOCAL_OPCODE" }, faults = { "unfiltered" }, unfiltered = { class = "unknown" } },
        -- Two channels are read. One of them shows the counts of the other cluster's channel, which is not read: half is missing.
        { pattern = "bandwidth_saturation", only = "load", level = "MEM", placement = "S0:1", quick_points = true,
            node = "virtual:tests/nodes/cluster_on_die.lua", group = "ASSAY_MEM", metric = "iMC read volume", box = "MBOX0",
            faults = { "mirror" }, mirror = { "MBOX2", class = "unknown" } },
        -- triad loads three lines for one that it modifies
        { pattern = "bandwidth_saturation", only = "triad", level = "MEM", placement = "S0:1", group = "ASSAY_CBOX",
            metric = "CBOX modified victims volume", swap = { "TOR_INSERTS_LOCAL_OPCODE", class = "multiplicative", factor = 3 } },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            rows = {
                { group = "ASSAY_MEM", metric = "iMC read volume", box = "MBOX0",
                    swap = { "CAS_COUNT_WR", class = "multiplicative", factor = 0.5 } },
                { group = "ASSAY_MEM", metric = "iMC write volume", box = "MBOX0",
                    swap = { "CAS_COUNT_RD", class = "multiplicative", factor = 2 } },
                {
                    group = "ASSAY_HA",
                    metric = "HA write volume",
                    soon = 1.2, -- at 1.5 it would wrap between two regions, where it is not read
                    box = "BBOX0",
                    swap = { "IMC_WRITES_PARTIAL", class = "missing" }, -- full lines only
                },
                -- nothing bypasses the queue
                { group = "ASSAY_HA", metric = "HA read volume", events = { "BYPASS_IMC_TAKEN" }, faults = { "add", "swap" },
                    swap = { "IMC_READS_NORMAL", class = "multiplicative", factor = 2 } },
                { group = "ASSAY_HA", metric = "HA read volume", events = { "IMC_READS_NORMAL" }, box = "BBOX0",
                    swap = { "IMC_WRITES_ALL", class = "multiplicative" }, soon = 0.45 }, -- one region has most of all counts
            },
        },
        {
            pattern = "avx_flops",
            only = "daxpy",
            group = "ASSAY_AVX",
            rows = {
                -- multiply and add, then one store
                { metric = "AVX operations", swap = { "AVX_INSTS_STORES", class = "multiplicative", factor = 0.5 } },
                { metric = "AVX FLOPs DP", swap = { "AVX_INSTS_STORES", class = "multiplicative", factor = 0.5 } },
            },
        },
        { pattern = "avx_flops", only = "saxpy", group = "ASSAY_AVX", metric = "AVX FLOPs SP",
            swap = { "AVX_INSTS_STORES", class = "multiplicative", factor = 0.5 } },
        {
            pattern = "avx_flops",
            only = "triad",
            group = "ASSAY_AVX_MOVES",
            rows = {
                -- per vector: one separate load, two loads of calculating instructions, and one store
                { metric = "AVX loads", swap = { "AVX_INSTS_CALC", class = "multiplicative", factor = 2 } },
                { metric = "AVX stores", swap = { "AVX_INSTS_CALC", class = "multiplicative", factor = 2 } },
            },
        },
        { pattern = "long_latency", only = "div_avx", group = "ASSAY_DIVIDER", metric = "Divider uops", quick = true,
            swap = { "AVX_INSTS_CALC", class = "multiplicative", factor = 0.5 } }, -- one instruction is two micro-operations
        {
            pattern = "load_imbalance",
            only = "halved",
            rows = {
                { quick_points = true, group = "ASSAY_AVX", metric = "AVX operations" },
                { quick_points = true, group = "ASSAY_AVX", metric = "Multiply-add elements DP" },
            },
        },
        shared.imbalanced_volumes,
        {
            pattern = "line_sharing",
            only = "shared",
            placement = "S0:2",
            group = "ASSAY_SHARING",
            rows = {
                { metric = "Loads of lines modified in this socket",
                    swap = { "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM", class = "missing" } }, -- there is no other socket
                { metric = "Reads of lines modified in this socket" },
            },
        },
        {
            pattern = "line_sharing",
            only = "shared",
            node = "virtual:haswellEP-2x1",
            group = "ASSAY_SHARING",
            rows = {
                {
                    metric = "Loads of lines modified in another socket",
                    soon = 0.45, -- one region has most of all counts
                    swap = { "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM", class = "missing" }, -- there is one core in each socket
                },
                { metric = "Reads of lines modified in another socket", soon = 0.45 }, -- one region has most of all counts
            },
        },
        { pattern = "false_sharing", only = "together", placement = "S0:2", group = "ASSAY_SHARING", metric = "Loads of modified lines",
            events = { "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM" }, faults = { "stuck", "deny" } },
        shared.branches,
        shared.branches_not_taken,
        shared.useful_operations,
        shared.instructions,
        shared.loads_from_l1,
        { pattern = "latency_bound", only = "short", group = "ASSAY_HITS", metric = "Loads from L2",
            swap = { "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM", class = "missing" } }, -- there is one thread
        {
            pattern = "latency_bound",
            only = "random",
            rows = {
                -- a list that does not fit into L2 never hits there
                { group = "ASSAY_HITS", metric = "Loads from L3", swap = { "MEM_LOAD_UOPS_RETIRED_L2_HIT", class = "missing" } },
                -- as above
                { group = "ASSAY_HITS", metric = "Loads past L3", swap = { "MEM_LOAD_UOPS_RETIRED_L2_HIT", class = "missing" } },
            },
        },
        shared.translations,
        { node = "virtual:haswellEP-2x1", rows = { shared.page_placement } },
        { pattern = "arithmetic_intensity", only = "dgemm", group = "ASSAY_INTENSITY", metric = "Arithmetic intensity",
            events = { "AVX_INSTS_CALC" }, quick_points = true },
        shared.split_loads,
        { pattern = "ineffective_instructions", only = "vector", group = "ASSAY_AVX", metric = "AVX FLOPs DP" },
        {
            pattern = "vector_transitions",
            only = "mixed",
            group = "ASSAY_ASSISTS",
            quick_points = true,
            rows = {
                { metric = "AVX to SSE transitions" },
                { metric = "SSE to AVX transitions" },
            },
        },
        shared.store_forwarding,
        shared.aliasing,
        shared.locked_loads,
    },
}
