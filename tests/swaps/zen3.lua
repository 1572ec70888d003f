-- zen3.lua - pairs of events that the campaign cannot tell apart on Zen 3's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
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
    },
}
