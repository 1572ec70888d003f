-- skylakeX.lua - pairs of events that the campaign cannot tell apart on Skylake-SP's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local HITM = "each load that takes a modified line makes one demand read that takes it: two names of one thing, where nothing is prefetched"
local WIDE = "the node has no AVX-512: 0, as the other is in codes that calculate"
local OUT = "L3 takes what L2 gives up: a full L2 hands on a line for each that it takes in"
local ADDS = "each cell that is not void makes one jump that is not taken, and one addition"
local LOCAL = "loads past L3 are judged where one thread chases along lists in its own socket's memory"
local MEMORY = "each load that comes from memory makes one demand read that does: two names of one thing, where nothing is prefetched"
local TAKEN = "lines that come from the other socket and are judged as modified ones are all modified"

local MODIFIED_HERE = "OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x0001:MATCH1=0x10003C"
local MODIFIED_THERE = "OFFCORE_RESPONSE_1_OPTIONS:MATCH0=0x0001:MATCH1=0x103FC0"

local READS_HERE = "OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x0001:MATCH1=0x60400"
local READS_THERE = "OFFCORE_RESPONSE_1_OPTIONS:MATCH0=0x0001:MATCH1=0x63800"

local same = {
    {
        "FP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE",
        "FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE",
        ways = "first second both",
        reason = "the node has no AVX-512: both are 0",
    },
    { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", "IDI_MISC_WB_DOWNGRADE", ways = "first both", reason = WIDE },
    { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", "L2_LINES_OUT_SILENT", ways = "first both", reason = WIDE },
    { "DTLB_LOAD_MISSES_CAUSES_A_WALK", "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", ways = "second", reason = WIDE },
    { "BR_INST_RETIRED_NOT_TAKEN", "FP_ARITH_INST_RETIRED_SCALAR_SINGLE", ways = "first", reason = ADDS },
    { "IDI_MISC_WB_UPGRADE", "L2_LINES_IN_ALL", ways = "second both", reason = OUT },
    { "IDI_MISC_WB_UPGRADE", "L2_LINES_OUT_NON_SILENT", ways = "second both", reason = OUT },
    { "IDI_MISC_WB_UPGRADE", "L2_TRANS_L2_WB", ways = "second both", reason = OUT },
    { "L1D_REPLACEMENT", "L2_LINES_OUT_NON_SILENT", ways = "second", reason = OUT },
    { "L2_LINES_IN_ALL", "L2_LINES_OUT_NON_SILENT", ways = "first second both", reason = OUT },
    { "L2_LINES_IN_ALL", "L2_TRANS_L2_WB", ways = "first second both", reason = OUT },
    { "L2_LINES_OUT_NON_SILENT", "L2_TRANS_L2_WB", ways = "first second both", reason = OUT },
    { "MEM_LOAD_L3_MISS_RETIRED_LOCAL_DRAM", "MEM_LOAD_RETIRED_L3_MISS", ways = "second", reason = LOCAL },
    { "MEM_LOAD_L3_MISS_RETIRED_LOCAL_DRAM", READS_HERE, ways = "first second both", reason = MEMORY },
    { "MEM_LOAD_L3_MISS_RETIRED_REMOTE_ALL", READS_THERE, ways = "first second both", reason = MEMORY },
    { "MEM_LOAD_RETIRED_L3_MISS", READS_HERE, ways = "first", reason = LOCAL },
    { "MEM_LOAD_RETIRED_L3_MISS", "OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x05B3:MATCH1=0x63FC0", ways = "first", reason = LOCAL },
    { "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM", MODIFIED_HERE, ways = "first second both", reason = HITM },
    { "MEM_LOAD_L3_MISS_RETIRED_REMOTE_HITM", MODIFIED_THERE, ways = "first second both", reason = HITM },
    { "MEM_LOAD_L3_MISS_RETIRED_REMOTE_ALL", "MEM_LOAD_L3_MISS_RETIRED_REMOTE_HITM", ways = "second", reason = TAKEN },
    { "MEM_LOAD_L3_MISS_RETIRED_REMOTE_ALL", MODIFIED_THERE, ways = "second", reason = TAKEN },
}

-- Things that codes with calculations never do.
local ELSEWHERE = { "MEM_INST_RETIRED_SPLIT_LOADS", "MEM_LOAD_L3_%u+_RETIRED_.*", "MEM_LOAD_RETIRED_L3_MISS", "OFFCORE_RESPONSE_.*" }
for _, other in ipairs(ELSEWHERE) do
    table.insert(same, { "FP_ARITH_INST_RETIRED_512B_PACKED_%u+", other, ways = "first", reason = WIDE })
end

local PATTERNS = "avx_flops bandwidth_saturation control_flow latency_bound line_sharing long_latency split_loads synchronisation"

return {
    nodes = { { "virtual:skylakeX-1x2", patterns = PATTERNS }, { "virtual:skylakeX-2x1", patterns = "line_sharing page_placement" } },
    same = same,
}
