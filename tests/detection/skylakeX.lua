-- skylakeX.lua - the rows of the detection matrix on Skylake-SP's virtual nodes (fields: series.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local shared = require "shared"

return {
    none = {
        CPU_CLK_UNHALTED_CORE = "cycles: of a virtual node's nothing exact is claimed",
        CPU_CLK_UNHALTED_REF = "as above",
        ARITH_DIVIDER_ACTIVE = "cycles of the divider: their model is an interval",
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
                -- L2 also evicts clean lines to L3
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
            quick_points = true,
            group = "ASSAY_FLOPS_DP",
            metric = "FLOPs DP",
            rows = {
                { only = "daxpy", events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" },
                    swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", class = "missing" } },
                { only = "daxpy_sse", events = { "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE" },
                    swap = { "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", class = "missing" } },
                { only = "daxpy_scalar", events = { "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE" },
                    swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", class = "missing" } },
            },
        },
        {
            pattern = "avx_flops",
            quick_points = true,
            group = "ASSAY_FLOPS_SP",
            metric = "FLOPs SP",
            rows = {
                { only = "saxpy", events = { "FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE" },
                    swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE", class = "missing" } },
                { only = "saxpy_sse", events = { "FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE" },
                    swap = { "FP_ARITH_INST_RETIRED_SCALAR_SINGLE", class = "missing" } },
                { only = "saxpy_scalar", events = { "FP_ARITH_INST_RETIRED_SCALAR_SINGLE" },
                    swap = { "FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE", class = "missing" } },
            },
        },
        -- no load of the triad is split
        { pattern = "instruction_overhead", only = "triad", quick_points = true, group = "ASSAY_SPLIT", metric = "Stores",
            events = { "MEM_INST_RETIRED_ALL_STORES" }, swap = { "MEM_INST_RETIRED_SPLIT_LOADS", class = "missing" } },
        {
            pattern = "line_sharing",
            only = "shared",
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
            only = "shared",
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
            },
        },
        shared.imbalanced_volumes,
        shared.branches,
        shared.branches_not_taken,
        shared.useful_operations,
        shared.instructions,
        shared.loads_from_l1,
        { pattern = "latency_bound", only = "short", group = "ASSAY_HITS", metric = "Loads from L2",
            swap = { "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM", class = "missing" } }, -- there is one thread
        {
            pattern = "latency_bound",
            only = "random",
            rows = {
                -- a list that does not fit into L2 never hits there
                { group = "ASSAY_HITS", metric = "Loads from L3", swap = { "MEM_LOAD_RETIRED_L2_HIT", class = "missing" } },
                { group = "ASSAY_HITS", metric = "Loads past L3", swap = { "MEM_LOAD_RETIRED_L2_HIT", class = "missing" } }, -- as above
            },
        },
        shared.translations,
        { node = "virtual:skylakeX-2x1", rows = { shared.page_placement } },
        { pattern = "arithmetic_intensity", only = "dgemm", group = "ASSAY_INTENSITY", metric = "Arithmetic intensity",
            events = { "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE" }, quick_points = true },
        shared.split_loads,
        {
            pattern = "ineffective_instructions",
            only = "remainders",
            group = "ASSAY_FLOPS_DP",
            rows = {
                { metric = "Scalar FLOPs DP", quick_points = true, soon = 0.45 }, -- one region has most of all counts
                { metric = "256-bit FLOPs DP" },
            },
        },
        shared.store_forwarding,
        shared.aliasing,
        shared.locked_loads,
    },
}
