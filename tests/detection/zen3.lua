-- zen3.lua - the rows of the detection matrix on Zen 3's virtual nodes (fields: series.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    {
        pattern = "bandwidth_saturation",
        only = "copy",
        level = "L2",
        placement = "S0:1",
        group = "ASSAY_L2",
        metric = "L1-L2 load volume",
        events = { "L1_DC_REFILLS_ALL" },
        counter = "PMC2",
        swap = { "L1_DC_REFILLS_DRAM", class = "missing" }, -- data in L2 come from there
        quick = true,
    },
    {
        pattern = "bandwidth_saturation",
        only = "copy",
        level = "L3",
        placement = "S0:1",
        group = "ASSAY_L3",
        metric = "L2-L3 load volume",
        events = { "L2_CACHE_MISS_AFTER_L1_MISS" },
        counter = "PMC2",
        swap = { "L2_PF_HIT_IN_L2", class = "missing" }, -- nothing is prefetched on the virtual node
    },
    {
        pattern = "avx_flops",
        only = "daxpy", -- all points: 16 regions leave a chance of 7 % that no spike is drawn
        group = "ASSAY_FLOPS",
        metric = "FLOPs",
        events = { "RETIRED_SSE_AVX_FLOPS_ALL" },
        counter = "PMC2",
        swap = { "RETIRED_SSE_AVX_FLOPS_MULT", class = "multiplicative", factor = 0.5 }, -- multiply and add
        quick = true,
    },
    {
        pattern = "load_imbalance",
        only = "halved",
        group = "ASSAY_FLOPS",
        metric = "Multiply-add elements",
        events = { "RETIRED_SSE_AVX_FLOPS_ALL" },
        counter = "PMC2",
        quick_points = true,
    },
    {
        pattern = "bandwidth_saturation",
        only = "copy",
        level = "MEM",
        placement = "S0:1",
        group = "ASSAY_MEM1",
        metric = "DRAM channels 0-3 volume",
        events = { "DRAM_CHANNEL_0", "DRAM_CHANNEL_1", "DRAM_CHANNEL_2", "DRAM_CHANNEL_3" },
        counter = "DFC0",
        node = "virtual:tests/nodes/zen3_small.lua",
        swap = { "DF_EVENT_REMOTE_1", class = "missing" }, -- there is no other socket
    },
    {
        pattern = "bandwidth_saturation",
        only = "copy",
        level = "MEM",
        placement = "S0:1",
        group = "ASSAY_MEM2",
        metric = "DRAM channels 4-7 volume",
        events = { "DRAM_CHANNEL_4", "DRAM_CHANNEL_5", "DRAM_CHANNEL_6", "DRAM_CHANNEL_7" },
        counter = "DFC0",
        node = "virtual:tests/nodes/zen3_small.lua",
        swap = { "DF_EVENT_REMOTE_1", class = "missing" },
    },
    {
        pattern = "load_imbalance",
        only = "halved",
        group = "ASSAY_CORE_MEM",
        metric = "Memory read volume of the core",
        events = { "L1_DC_REFILLS_DRAM" },
        counter = "PMC2",
        node = "virtual:tests/nodes/zen3_small.lua",
    },
    {
        pattern = "control_flow",
        only = "random",
        group = "ASSAY_BRANCH",
        metric = "Branches",
        events = { "RETIRED_BRANCH_INSTR" },
        counter = "PMC2",
        quick_points = true,
    },
    {
        pattern = "control_flow",
        only = "random",
        group = "ASSAY_BRANCH",
        metric = "Mispredicted branches",
        soon = 1.1, -- the second region has a seventh of the first one's
        events = { "RETIRED_MISP_BRANCH_INSTR" },
        counter = "PMC3",
        quick_points = true,
    },
    {
        pattern = "control_flow",
        only = "random",
        group = "ASSAY_BRANCH",
        metric = "Branches taken",
        events = { "RETIRED_TAKEN_BRANCH_INSTR" },
        -- without what wraps at its bits: that is between two regions, where nobody looks
        faults = { "scale 0.6", "scale 1.05", "scale 3", "add", "spike", "jitter", "stuck", "wrap 32", "wrap 32 later", "deny" },
        counter = "PMC4",
        quick_points = true,
    },
}
