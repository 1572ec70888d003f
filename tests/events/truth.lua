-- truth.lua - the true meaning of the virtual node's events, in words of probes/concepts.txt, from the formulas of the node's own table.
-- SPDX-License-Identifier: GPL-3.0-or-later
local pmu_lines = require "input.pmu_lines"

local truth = {}

-- Totals of vnode/sim/counts.h and their words; no probe adds to a total without a word.
local WORDS = {
    CORE_INSTRUCTIONS = "instructions",
    CORE_AVX_LOADS = "AVX loads",
    CORE_AVX_STORES = "AVX stores",
    CORE_AVX_CALC = "AVX calculations",
    CORE_DIVIDER_UOPS = "divider uops",
    CORE_PREFETCHES = "software prefetches",
    CORE_PREFETCHES_WRITE = "software prefetches for writing",
    CORE_PREFETCHES_NT = "non-temporal software prefetches",
    CORE_FP_SCALAR_SP = "scalar SP",
    CORE_FP_SCALAR_DP = "scalar DP",
    CORE_FP_128_SP = "128-bit SP",
    CORE_FP_128_DP = "128-bit DP",
    CORE_FP_256_SP = "256-bit SP",
    CORE_FP_256_DP = "256-bit DP",
    CORE_BRANCHES = "branches",
    CORE_BRANCHES_CONDITIONAL = "conditional branches",
    CORE_BRANCHES_NOT_TAKEN = "conditional branches not taken",
    CORE_BRANCHES_TAKEN = "taken branches",
    CORE_BRANCHES_CALL = "calls",
    CORE_BRANCHES_RETURN = "returns",
    CORE_MISPREDICTED = "mispredicted branches",
    CORE_MISPREDICTED_CONDITIONAL = "mispredicted conditional branches",
    CORE_MISPREDICTED_TAKEN = "mispredicted branches taken",
    CORE_BEGUN_TAKEN = "conditional branches begun as taken",
    CORE_BEGUN_NOT_TAKEN = "conditional branches begun as not taken",
    CORE_LOADS = "loads",
    CORE_STORES = "stores",
    CORE_LOADS_LOCKED = "locked loads",
    CORE_LOADS_SPLIT = "split loads",
    CORE_STORES_SPLIT = "split stores",
    CORE_LOADS_NOT_FORWARDED = "blocked loads",
    CORE_LOADS_ALIASED = "aliased loads",
    CORE_LOADS_STLB_MISS = "all page walks of loads",
    CORE_STORES_STLB_MISS = "all page walks of stores",
    CORE_LOAD_L1_HIT = "loads from L1",
    CORE_LOAD_L1_MISS = "loads past L1",
    CORE_LOAD_L2_HIT = "loads from L2",
    CORE_LOAD_L2_MISS = "loads past L2",
    CORE_LOAD_L3_HIT = "loads from L3",
    CORE_LOAD_L3_HIT_SNOOP_MISS = "loads of lines dropped elsewhere",
    CORE_LOAD_L3_HIT_SNOOP_NONE = "loads from L3 alone",
    CORE_LOAD_L3_HIT_SNOOP_HIT = "loads of lines clean elsewhere",
    CORE_LOAD_L3_HIT_SNOOP_HITM = "loads of lines modified elsewhere",
    CORE_LOAD_L3_MISS = "loads past L3",
    CORE_LOAD_REMOTE_DRAM = "loads from far memory",
    CORE_LOAD_REMOTE_HITM = "loads of lines modified in another socket",
    CORE_LOAD_REMOTE_FORWARD = "loads of lines clean in another socket",
    CORE_LOAD_LOCAL_DRAM = "loads from memory",
    CORE_L1D_REPLACEMENT = "lines into L1",
    CORE_L1I_MISS = "instruction lines missed",
    CORE_L2_DATA_READ_HIT = "data reads in L2",
    CORE_L2_DATA_READ_MISS = "data reads past L2",
    CORE_L2_RFO_HIT = "ownership in L2",
    CORE_L2_RFO_MISS = "ownership past L2",
    CORE_L2_CODE_READ_HIT = "instruction reads in L2",
    CORE_L2_CODE_READ_MISS = "instruction reads past L2",
    CORE_L2_L1D_WRITEBACK = "modified lines from L1",
    CORE_L2_L1D_WRITEBACK_HIT = "modified lines from L1", -- L2 has the lines that a walk modifies in L1
    CORE_L2_LINES_IN_S = "shared lines into L2",
    CORE_L2_LINES_IN_E = "lines into L2 alone",
    CORE_L2_WRITEBACK = "modified lines from L2",
    CORE_L2_LINES_OUT_CLEAN = "clean lines from L2",
    CORE_L2_LINES_OUT_DIRTY = "modified lines from L2",
    CORE_DTLB_LOAD_WALK = "all page walks of loads",
    CORE_DTLB_LOAD_WALK_LARGE = "page walks of large loads",
    CORE_DTLB_LOAD_STLB_HIT = "all second-level TLB hits of loads",
    CORE_DTLB_LOAD_STLB_HIT_LARGE = "second-level TLB hits of large loads",
    CORE_DTLB_STORE_WALK = "all page walks of stores",
    CORE_DTLB_STORE_WALK_LARGE = "page walks of large stores",
    CORE_DTLB_STORE_STLB_HIT = "all second-level TLB hits of stores",
    CORE_DTLB_STORE_STLB_HIT_LARGE = "second-level TLB hits of large stores",
    CORE_ITLB_WALK = "page walks of instructions",
    CORE_ITLB_STLB_HIT = "second-level TLB hits of instructions",
    CAS_READ = "lines from memory",
    CAS_WRITE = "lines to memory",
    OFFCORE_DATA_READ_LOCAL_DRAM = "data reads from memory",
    OFFCORE_DATA_READ_REMOTE_CACHE = "data reads from another socket",
    OFFCORE_DATA_READ_REMOTE_DRAM = "data reads from far memory",
    OFFCORE_RFO_REMOTE_CACHE = "ownership from another socket",
    OFFCORE_RFO_REMOTE_DRAM = "ownership from far memory",
    OFFCORE_RFO_LOCAL_DRAM = "ownership from memory",
    OFFCORE_CODE_READ_LOCAL_DRAM = "instruction reads from memory",
    SLICE_ALL = "requests of L3",
    SLICE_WRITEBACK = "modified lines from L2",
    SLICE_STREAMING_STORE = "lines past the caches",
    AGENT_READS = "lines from memory",
    AGENT_WRITES = "lines to memory",
    AGENT_REQUESTS_LOCAL_READ = "lines from memory",
    AGENT_REQUESTS_LOCAL_WRITE = "lines to memory",
    VICTIM_M = "modified lines from L3",
    LOOKUP_DATA_READ = "data reads past L2",
    LOOKUP_RFO = "ownership past L2",
    LOOKUP_CODE_READ = "instruction reads past L2",
    LOOKUP_WRITE = "modified lines from L2",
    LOOKUP_DATA_READ_MISS = "data reads past L3",
    LOOKUP_RFO_MISS = "ownership past L3",
    LOOKUP_CODE_READ_MISS = "instruction reads from memory",
}
-- Totals to which no probe adds: lines that several cores share, other sockets, hardware that the node lacks.
local NONE = {
    CORE_AVX_TO_SSE = true,
    CORE_SSE_TO_AVX = true,
    CORE_BEGUN_JUMP = true,
    CORE_BEGUN_CALL = true,
    CORE_BEGUN_RETURN = true,
    CORE_BEGUN_INDIRECT = true,
    CORE_BEGUN_CALL_INDIRECT = true,
    AGENT_READS_BYPASS = true,
    AGENT_WRITES_PARTIAL = true,
    AGENT_REQUESTS_REMOTE_READ = true,
    AGENT_REQUESTS_REMOTE_WRITE = true,
    LOOKUP_REMOTE_SNOOP = true,
    VICTIM_F = true,
    OFFCORE_DATA_READ_SOCKET_CACHE = true,
    OFFCORE_RFO_SOCKET_CACHE = true,
    OFFCORE_CODE_READ_SOCKET_CACHE = true,
    OFFCORE_CODE_READ_REMOTE_CACHE = true,
    OFFCORE_CODE_READ_REMOTE_DRAM = true,
    SNOOPED = true,
    CLEAN_GIVEN_UP = true,
    LOOKUP_RFO_S = true,
    VICTIM_S = true,
    ["0"] = true,
}

-- Whether no probe adds to the total: answers to snoops, what goes over links, hardware prefetches on a node without.
local function is_none(total)
    return NONE[total] or total:find "^ANSWER_" ~= nil or total:find "^LINK_" ~= nil or total:find "_PREFETCH_" ~= nil
end

-- Totals that count a part of what a word means, by the beginnings of their names, such as the lines of one bank. The part depends on the
-- addresses of the program's lines, which are not known here.
local PARTS = { BANK_READ = "lines from memory", BANK_WRITE = "lines to memory" }

-- Totals with a word of their own, although the table's formula is a sum of other totals.
local DIFFERENCES = { ["CORE_MISPREDICTED - CORE_MISPREDICTED_TAKEN"] = "mispredicted branches not taken" }

-- "A + B - C" -> { [basic concept] = weight }; nil if it has a total without a word.
local function terms_of(made, known)
    local terms = {}
    if DIFFERENCES[made] then
        return known[DIFFERENCES[made]].terms
    end
    local single = made:gsub("%d+ %* (LINK_)", "%1")
    for sign, total in ("+ " .. single):gmatch "([+-])%s*(%S+)" do
        local one = known[WORDS[total:gsub("%%[%%*%]$", "")]] -- all slices
        if not one and not is_none(total) then
            return nil
        end
        for basic, weight in pairs(one and one.terms or {}) do
            local sum = (terms[basic] or 0) + (sign == "-" and -weight or weight)
            terms[basic] = sum ~= 0 and sum or nil
        end
    end
    return terms
end

-- { [unit] = bits of the unit mask that select states of lines } of the boxes whose selects have such bits.
local function states_of(text)
    local masks = {}
    for unit, bit, states in text:gmatch "\nbox (%w+)[^\n]* states select (%d+)([%u -]+)" do
        masks[unit] = (1 << select(2, states:gsub("%S+", ""))) - 1 << bit - 8
    end
    return masks
end

-- text = groups/ARCH/pmu.events, concepts = concepts.read() -> { [event] = { [basic concept] = weight } }, {} for nothing, events of
-- which no word is known, or which count lines in some states only, left out; and { [event] = { .. } }: events that count an
-- unknown part of these.
function truth.read(text, concepts)
    local known, found, parts, states = {}, {}, {}, states_of(text)
    for _, one in ipairs(concepts) do
        known[one.name] = one
    end
    for _, event in ipairs(pmu_lines.read(text).events) do
        local part = PARTS[event.made:match "^(%u+_%u+)_RANK%d"]
        parts[event.name] = part and known[part].terms
        local mask = states[event.unit] or 0
        found[event.name] = event.umask & mask == mask and terms_of(event.made, known) or nil
    end
    return found, parts
end

return truth
