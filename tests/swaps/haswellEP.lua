-- haswellEP.lua - pairs of events that the campaign cannot tell apart on Haswell-EP's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local HITM = "each load that takes a modified line makes one demand read that takes it: two names of one thing, where nothing is prefetched"

return {
    nodes = { { "virtual:haswellEP-1x2" }, { "virtual:haswellEP-2x1", patterns = "line_sharing" } },
    same = {
        {
            "OTHER_ASSISTS_AVX_TO_SSE",
            "OTHER_ASSISTS_SSE_TO_AVX",
            ways = "first second both",
            reason = "the upper halves are brought back as often as they are saved: no code can have one without the other",
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
