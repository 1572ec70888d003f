-- zen3.lua - pairs of events that the campaign cannot tell apart on Zen 3's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local PREFETCHED = "the node has no prefetchers: 0, as the other is, or all but, in codes that show what L2 takes in"

return {
    nodes = { { "virtual:tests/nodes/zen3_mid.lua" } },
    no_event = { MERGE = "makes one wide counter of two" },
    same = {
        {
            "DRAM_CHANNEL_%d",
            "DRAM_CHANNEL_%d",
            ways = "first second both",
            reason = "lines lie in the channels in turn, so that each sees as many; which of them a line lies in, no code can know",
        },
        {
            "L2_CACHE_MISS_AFTER_L1_MISS",
            "L2_PF_HIT_IN_L3",
            ways = "both",
            reason = "the group adds the two",
        },
        {
            "L2_PF_HIT_IN_L3",
            "L2_PF_MISS_IN_L3",
            ways = "first second both",
            reason = "the node has no prefetchers: both are 0",
        },
        { "L1_DC_REFILLS_REMOTE_DRAM", "L2_PF_%u+_IN_L3", ways = "second both", reason = PREFETCHED },
        { "L2_PF_%u+_IN_L3", "MISALIGNED_LOADS_COUNT_MA_64B", ways = "first both", reason = PREFETCHED },
        { "L2_PF_%u+_IN_L3", "RETIRED_MISP_BRANCH_INSTR", ways = "first", reason = PREFETCHED },
        { "L2_PF_%u+_IN_L3", "RETIRED_SSE_AVX_FLOPS_DIV", ways = "first both", reason = PREFETCHED },
        { "L1_DC_REFILLS_DRAM", "L1_DC_REFILLS_LOCAL_DRAM", ways = "first both", reason = "one socket: all its memory is its own" },
    },
}
