-- skylakeX.lua - pairs of events that the campaign cannot tell apart on Skylake-SP's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local HITM = "each load that takes a modified line makes one demand read that takes it: two names of one thing, where nothing is prefetched"
local WIDE = "the node has no AVX-512: 0, as the other is in codes that calculate"
local OUT = "L3 takes what L2 gives up: a full L2 hands on a line for each that it takes in"
local CORE_MEM, MODIFIED = "OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x0003:MATCH1=0x63FC0", "OFFCORE_RESPONSE_%d_OPTIONS:MATCH0=0x0001:.*"

return {
    nodes = { { "virtual:skylakeX-1x2" }, { "virtual:skylakeX-2x1", patterns = "line_sharing page_placement" } },
    same = {
        {
            "FP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE",
            "FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE",
            ways = "first second both",
            reason = "the node has no AVX-512: both are 0",
        },
        { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", "IDI_MISC_WB_DOWNGRADE", ways = "first both", reason = WIDE },
        { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", "L2_LINES_OUT_SILENT", ways = "first both", reason = WIDE },
        { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", "MEM_LOAD_L3_.*_HITM", ways = "first", reason = WIDE },
        { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", MODIFIED, ways = "first", reason = WIDE },
        { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", CORE_MEM, ways = "first", reason = WIDE },
        { "IDI_MISC_WB_UPGRADE", "L2_LINES_IN_ALL", ways = "second both", reason = OUT },
        { "IDI_MISC_WB_UPGRADE", "L2_LINES_OUT_NON_SILENT", ways = "second both", reason = OUT },
        { "IDI_MISC_WB_UPGRADE", "L2_TRANS_L2_WB", ways = "second both", reason = OUT },
        { "L1D_REPLACEMENT", "L2_LINES_OUT_NON_SILENT", ways = "second", reason = OUT },
        { "L2_LINES_IN_ALL", "L2_LINES_OUT_NON_SILENT", ways = "first second both", reason = OUT },
        { "L2_LINES_IN_ALL", "L2_TRANS_L2_WB", ways = "first second both", reason = OUT },
        { "L2_LINES_OUT_NON_SILENT", "L2_TRANS_L2_WB", ways = "first second both", reason = OUT },
        {
            "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM",
            "OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x0001:MATCH1=0x10003C",
            ways = "first second both",
            reason = HITM,
        },
        {
            "MEM_LOAD_L3_MISS_RETIRED_REMOTE_HITM",
            "OFFCORE_RESPONSE_1_OPTIONS:MATCH0=0x0001:MATCH1=0x103FC0",
            ways = "first second both",
            reason = HITM,
        },
    },
}
