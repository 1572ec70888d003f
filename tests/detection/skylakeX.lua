-- skylakeX.lua - the rows of the detection matrix on Skylake-SP's virtual nodes (fields: series.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
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
                { metric = "L1-L2 load volume", quick = true, swap = { "L1D_M_EVICT", class = "multiplicative", factor = 0.5 } },
                { metric = "L1-L2 evict volume", swap = { "L1D_REPLACEMENT", class = "multiplicative", factor = 2 } },
            },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L3",
            placement = "S0:1",
            rows = {
                -- L1 gives up modified lines only: one of two
                { group = "ASSAY_L3", metric = "L2-L3 load volume", swap = { "L1D_M_EVICT", class = "multiplicative", factor = 0.5 } },
                -- L2 hands on clean lines as well
                { group = "ASSAY_L3", metric = "L2-L3 evict volume", swap = { "L1D_M_EVICT", class = "multiplicative", factor = 0.5 } },
                -- none is dropped
                { group = "ASSAY_L2_OUT", metric = "L2 handed on volume", swap = { "L2_LINES_OUT_SILENT", class = "missing" } },
                { group = "ASSAY_CHA", metric = "CHA data reads volume", fails = { "deny" },
                    swap = { "LLC_VICTIMS_M_STATE", class = "missing" } }, -- data in L3 displace nothing from it
            },
        },
        {
            pattern = "avx_flops",
            only = "daxpy",
            group = "ASSAY_AVX",
            quick_points = true,
            rows = {
                { metric = "AVX operations", events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" }, quick = true,
                    swap = { "FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE", class = "missing" } }, -- double precision only
                { metric = "AVX FLOPs DP", events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" },
                    swap = { "FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE", class = "missing" } },
                -- no code has vectors of 512 bits
                { metric = "AVX FLOPs DP", events = { "FP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE" }, faults = { "add", "swap" },
                    swap = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", class = "multiplicative", factor = 3 } },
                { metric = "AVX operations", events = { "FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE" }, faults = { "add", "swap" },
                    swap = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", class = "multiplicative", factor = 2 } },
            },
        },
        {
            pattern = "avx_flops",
            only = "saxpy",
            quick_points = true,
            group = "ASSAY_AVX",
            metric = "AVX FLOPs SP",
            events = { "FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE" },
            swap = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", class = "missing" },
        },
        {
            pattern = "avx_flops",
            only = "daxpy",
            quick_points = true,
            group = "ASSAY_FLOPS_DP",
            metric = "FLOPs DP",
            events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" },
            swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", class = "missing" },
        },
        { pattern = "avx_flops", only = "daxpy_sse", quick_points = true, group = "ASSAY_FLOPS_DP", metric = "FLOPs DP",
            events = { "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE" }, swap = { "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", class = "missing" } },
        { pattern = "avx_flops", only = "daxpy_scalar", quick_points = true, group = "ASSAY_FLOPS_DP", metric = "FLOPs DP",
            events = { "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE" }, swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", class = "missing" } },
        {
            pattern = "avx_flops",
            only = "saxpy",
            quick_points = true,
            group = "ASSAY_FLOPS_SP",
            metric = "FLOPs SP",
            events = { "FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE" },
            swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE", class = "missing" },
        },
        { pattern = "avx_flops", only = "saxpy_sse", quick_points = true, group = "ASSAY_FLOPS_SP", metric = "FLOPs SP",
            events = { "FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE" }, swap = { "FP_ARITH_INST_RETIRED_SCALAR_SINGLE", class = "missing" } },
        { pattern = "avx_flops", only = "saxpy_scalar", quick_points = true, group = "ASSAY_FLOPS_SP", metric = "FLOPs SP",
            events = { "FP_ARITH_INST_RETIRED_SCALAR_SINGLE" }, swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE", class = "missing" } },
        {
            pattern = "line_sharing",
            placement = "S0:2",
            group = "ASSAY_SHARING",
            rows = {
                {
                    metric = "Loads of lines modified in this socket",
                    soon = 0.45, -- one region has most of all counts
                    swap = { "MEM_LOAD_L3_MISS_RETIRED_REMOTE_HITM", class = "missing" }, -- there is no other socket
                },
                { metric = "Reads of lines modified in this socket", soon = 0.45 }, -- one region has most of all counts
            },
        },
        {
            pattern = "line_sharing",
            node = "virtual:skylakeX-2x1",
            group = "ASSAY_SHARING",
            rows = {
                {
                    metric = "Loads of lines modified in another socket",
                    soon = 0.45, -- one region has most of all counts
                    swap = { "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM", class = "missing" }, -- there is one core in each socket
                },
                { metric = "Reads of lines modified in another socket", soon = 0.45 }, -- one region has most of all counts
            },
        },
        { pattern = "false_sharing", only = "together", placement = "S0:2", group = "ASSAY_SHARING", metric = "Loads of modified lines",
            events = { "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM" }, faults = { "stuck", "deny" } },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            rows = {
                { group = "ASSAY_MEM", metric = "iMC read volume", box = "MBOX0",
                    swap = { "CAS_COUNT_WR", class = "multiplicative", factor = 0.5 }, soon = 0.45 }, -- one region has most of all counts
                { group = "ASSAY_MEM", metric = "iMC write volume", box = "MBOX0",
                    swap = { "CAS_COUNT_RD", class = "multiplicative", factor = 2 }, soon = 0.45 }, -- one region has most of all counts
                { group = "ASSAY_M2M", metric = "M2M read volume", box = "M2M0",
                    swap = { "IMC_WRITES_ALL", class = "multiplicative", factor = 0.5 }, soon = 0.45 }, -- one region has most of all counts
                {
                    group = "ASSAY_M2M",
                    metric = "M2M write volume",
                    soon = 0.45, -- one region has most of all counts
                    box = "M2M0",
                    swap = { "IMC_WRITES_PARTIAL", class = "missing" }, -- full lines only
                },
            },
        },
        -- triad loads three lines for one that it modifies
        { pattern = "bandwidth_saturation", only = "triad", level = "MEM", placement = "S0:1", group = "ASSAY_CHA",
            metric = "CHA modified victims volume", swap = { "LLC_LOOKUP_DATA_READ", class = "multiplicative", factor = 3 } },
        {
            pattern = "load_imbalance",
            only = "halved",
            rows = {
                { group = "ASSAY_AVX", metric = "AVX operations", events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" },
                    quick_points = true },
                { group = "ASSAY_AVX", metric = "Multiply-add elements DP", events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" },
                    quick_points = true },
                { group = "ASSAY_L2", metric = "L1-L2 volume" },
                { group = "ASSAY_L3", metric = "L2-L3 volume" },
                { group = "ASSAY_CORE_MEM", metric = "Memory read volume of the core" },
            },
        },
        {
            pattern = "control_flow",
            only = "random",
            group = "ASSAY_BRANCH",
            quick_points = true,
            rows = {
                { metric = "Branches" },
                { metric = "Mispredicted branches", soon = 1.1 }, -- the second region has a seventh of the first one's
                {
                    metric = "Branches taken",
                    -- without what wraps at its bits: that is between two regions, where nobody looks
                    faults = { "scale 0.6", "scale 1.05", "scale 3", "add", "spike", "jitter", "stuck", "wrap 32",
                        "wrap 32 later", "deny" },
                },
                { metric = "Branches not taken" },
            },
        },
        {
            pattern = "synchronisation",
            only = "apart",
            group = "ASSAY_SYNC",
            quick_points = true,
            rows = {
                { metric = "Useful operations", soon = 0.45 }, -- one region has most of all counts
                { metric = "Instructions", events = { "INSTR_RETIRED_ANY" },
                    faults = { "scale 0.6", "scale 1.05", "scale 3", "jitter", "stuck" } },
            },
        },
        { pattern = "latency_bound", only = "blocked", group = "ASSAY_HITS", metric = "Loads from L1" },
        { pattern = "latency_bound", only = "short", group = "ASSAY_HITS", metric = "Loads from L2",
            swap = { "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM", class = "missing" } }, -- there is one thread
        {
            pattern = "latency_bound",
            only = "random",
            rows = {
                -- a list that does not fit into L2 has nothing there
                { group = "ASSAY_HITS", metric = "Loads from L3", swap = { "MEM_LOAD_RETIRED_L2_HIT", class = "missing" } },
                { group = "ASSAY_HITS", metric = "Loads past L3", swap = { "MEM_LOAD_RETIRED_L2_HIT", class = "missing" } }, -- as above
                { group = "ASSAY_TLB", metric = "Second-level TLB hits of loads" },
                { group = "ASSAY_TLB", metric = "Page walks of loads", soon = 0.45 }, -- one region has most of all counts
            },
        },
        { pattern = "page_placement", only = "by_one", group = "ASSAY_NUMA", metric = "Loads from own memory",
            node = "virtual:skylakeX-2x1" },
        { pattern = "page_placement", only = "in_turn", group = "ASSAY_NUMA", metric = "Loads from other memory",
            node = "virtual:skylakeX-2x1" },
        { pattern = "page_placement", only = "by_users", group = "ASSAY_NUMA", metric = "Reads from own memory",
            node = "virtual:skylakeX-2x1" },
        { pattern = "page_placement", only = "in_turn", group = "ASSAY_NUMA", metric = "Reads from other memory",
            node = "virtual:skylakeX-2x1" },
        { pattern = "arithmetic_intensity", only = "dgemm", group = "ASSAY_INTENSITY", metric = "Arithmetic intensity",
            events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" }, quick_points = true },
        { pattern = "split_loads", only = "shifted", group = "ASSAY_SPLIT", metric = "Split loads", quick_points = true },
        {
            pattern = "ineffective_instructions",
            only = "remainders",
            group = "ASSAY_FLOPS_DP",
            rows = {
                { metric = "Scalar FLOPs DP", quick_points = true, soon = 0.45 }, -- one region has most of all counts
                { metric = "256-bit FLOPs DP" },
            },
        },
        { pattern = "store_forwarding", only = "halves", group = "ASSAY_BLOCKS", metric = "Loads not forwarded", quick_points = true },
        { pattern = "address_aliasing", only = "aliased", group = "ASSAY_BLOCKS", metric = "Aliased loads", quick_points = true },
        { pattern = "atomic_updates", only = "shared", group = "ASSAY_LOCKS", metric = "Locked loads", quick_points = true },
    },
}
