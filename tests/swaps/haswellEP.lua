-- haswellEP.lua - event pairs whose swap no quick run of the patterns detects on Haswell-EP's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local HITM = "without prefetching each load of a modified line is one demand read of it, so that both events count the same"

return {
    nodes = { { "virtual:haswellEP-1x2" }, { "virtual:haswellEP-2x1", patterns = "line_sharing" } },
    same = {
        {
            "OTHER_ASSISTS_AVX_TO_SSE",
            "OTHER_ASSISTS_SSE_TO_AVX",
            ways = "first second both",
            reason = "the patterns' kernels save and restore upper halves equally often",
        },
        {
            "BYPASS_IMC_TAKEN",
            "IMC_READS_NORMAL",
            ways = "both",
            reason = "the group adds the two",
        },
        {
            "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM",
            "OFFCORE_RESPONSE_0_OPTIONS:MATCH0=0x0001:MATCH1=0x10003C",
            ways = "first second both",
            reason = HITM,
        },
        {
            "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM",
            "OFFCORE_RESPONSE_1_OPTIONS:MATCH0=0x0001:MATCH1=0x103FC0",
            ways = "first second both",
            reason = HITM,
        },
    },
}
