/* total_names.c - the totals of vnode/sim/counts.h by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "totals.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NAMED(count) [count] = #count

static const char *const core_names[CORE_COUNTS] = {
    NAMED(CORE_INSTRUCTIONS),
    NAMED(CORE_AVX_LOADS),
    NAMED(CORE_AVX_STORES),
    NAMED(CORE_AVX_CALC),
    NAMED(CORE_DIVIDER_UOPS),
    NAMED(CORE_DIVISIONS),
    NAMED(CORE_VECTOR_INSTRUCTIONS),
    NAMED(CORE_PREFETCHES),
    NAMED(CORE_PREFETCHES_WRITE),
    NAMED(CORE_PREFETCHES_NT),
    NAMED(CORE_AVX_TO_SSE),
    NAMED(CORE_SSE_TO_AVX),
    NAMED(CORE_FP_SCALAR_SP),
    NAMED(CORE_FP_SCALAR_DP),
    NAMED(CORE_FP_128_SP),
    NAMED(CORE_FP_128_DP),
    NAMED(CORE_FP_256_SP),
    NAMED(CORE_FP_256_DP),
    NAMED(CORE_FLOPS_ADD),
    NAMED(CORE_FLOPS_MULTIPLY),
    NAMED(CORE_FLOPS_DIVIDE),
    NAMED(CORE_FLOPS_FUSED),
    NAMED(CORE_BRANCHES),
    NAMED(CORE_BRANCHES_CONDITIONAL),
    NAMED(CORE_BRANCHES_NOT_TAKEN),
    NAMED(CORE_BRANCHES_TAKEN),
    NAMED(CORE_BRANCHES_CALL),
    NAMED(CORE_BRANCHES_RETURN),
    NAMED(CORE_BRANCHES_INDIRECT),
    NAMED(CORE_BRANCHES_CALL_INDIRECT),
    NAMED(CORE_MISPREDICTED),
    NAMED(CORE_MISPREDICTED_CONDITIONAL),
    NAMED(CORE_MISPREDICTED_TAKEN),
    NAMED(CORE_MISPREDICTED_RETURN),
    NAMED(CORE_MISPREDICTED_INDIRECT),
    NAMED(CORE_BEGUN_TAKEN),
    NAMED(CORE_BEGUN_NOT_TAKEN),
    NAMED(CORE_BEGUN_JUMP),
    NAMED(CORE_BEGUN_CALL),
    NAMED(CORE_BEGUN_RETURN),
    NAMED(CORE_BEGUN_INDIRECT),
    NAMED(CORE_BEGUN_CALL_INDIRECT),
    NAMED(CORE_LOADS),
    NAMED(CORE_STORES),
    NAMED(CORE_STORES_NT),
    NAMED(CORE_UPDATES),
    NAMED(CORE_LOADS_LOCKED),
    NAMED(CORE_LOADS_SPLIT),
    NAMED(CORE_LOADS_NOT_FORWARDED),
    NAMED(CORE_LOADS_ALIASED),
    NAMED(CORE_STORES_SPLIT),
    NAMED(CORE_LOADS_STLB_MISS),
    NAMED(CORE_STORES_STLB_MISS),
    NAMED(CORE_LOAD_L1_HIT),
    NAMED(CORE_LOAD_L1_MISS),
    NAMED(CORE_LOAD_L2_HIT),
    NAMED(CORE_LOAD_L2_MISS),
    NAMED(CORE_LOAD_L3_HIT),
    NAMED(CORE_LOAD_L3_MISS),
    NAMED(CORE_LOAD_L3_HIT_SNOOP_NONE),
    NAMED(CORE_LOAD_L3_HIT_SNOOP_MISS),
    NAMED(CORE_LOAD_L3_HIT_SNOOP_HIT),
    NAMED(CORE_LOAD_L3_HIT_SNOOP_HITM),
    NAMED(CORE_LOAD_SOCKET_FORWARD),
    NAMED(CORE_LOAD_SOCKET_HITM),
    NAMED(CORE_LOAD_LOCAL_DRAM),
    NAMED(CORE_LOAD_REMOTE_DRAM),
    NAMED(CORE_LOAD_REMOTE_HITM),
    NAMED(CORE_LOAD_REMOTE_FORWARD),
    NAMED(CORE_L1D_REPLACEMENT),
    NAMED(CORE_L1I_MISS),
    NAMED(CORE_L2_DATA_READ_HIT),
    NAMED(CORE_L2_DATA_READ_MISS),
    NAMED(CORE_L2_RFO_HIT),
    NAMED(CORE_L2_RFO_MISS),
    NAMED(CORE_L2_CODE_READ_HIT),
    NAMED(CORE_L2_CODE_READ_MISS),
    NAMED(CORE_L2_L1_PREFETCH_HIT),
    NAMED(CORE_L2_L1_PREFETCH_MISS),
    NAMED(CORE_L2_PREFETCH_HIT),
    NAMED(CORE_L2_PREFETCH_MISS),
    NAMED(CORE_L2_DATA_READ_HIT_SHARED),
    NAMED(CORE_L2_CODE_READ_HIT_SHARED),
    NAMED(CORE_L2_UPGRADE),
    NAMED(CORE_L2_L1D_WRITEBACK),
    NAMED(CORE_L2_L1D_WRITEBACK_HIT),
    NAMED(CORE_L2_LINES_IN_S),
    NAMED(CORE_L2_LINES_IN_E),
    NAMED(CORE_L2_WRITEBACK),
    NAMED(CORE_L2_LINES_OUT_CLEAN),
    NAMED(CORE_L2_VICTIM_CLEAN),
    NAMED(CORE_L2_LINES_OUT_DIRTY),
    NAMED(CORE_L2_PREFETCH_OUT_CLEAN),
    NAMED(CORE_L2_PREFETCH_OUT_DIRTY),
    NAMED(CORE_DTLB_LOAD_WALK),
    NAMED(CORE_DTLB_LOAD_STLB_HIT),
    NAMED(CORE_DTLB_STORE_WALK),
    NAMED(CORE_DTLB_STORE_STLB_HIT),
    NAMED(CORE_DTLB_LOAD_WALK_CYCLES),
    NAMED(CORE_DTLB_STORE_WALK_CYCLES),
    NAMED(CORE_DTLB_LOAD_WALK_LARGE),
    NAMED(CORE_DTLB_LOAD_STLB_HIT_LARGE),
    NAMED(CORE_DTLB_STORE_WALK_LARGE),
    NAMED(CORE_DTLB_STORE_STLB_HIT_LARGE),
    NAMED(CORE_ITLB_WALK),
    NAMED(CORE_ITLB_STLB_HIT),
    NAMED(CORE_ITLB_WALK_CYCLES),
    NAMED(CORE_CYCLES),
};

const char *const request_names[SIM_REQUESTS] = {[REQUEST_DATA_READ] = "DATA_READ",
                                                 [REQUEST_RFO] = "RFO",
                                                 [REQUEST_CODE_READ] = "CODE_READ",
                                                 [REQUEST_WRITEBACK] = "WRITEBACK",
                                                 [REQUEST_STREAMING_STORE] = "STREAMING_STORE",
                                                 [REQUEST_L1_PREFETCH] = "L1_PREFETCH",
                                                 [REQUEST_PREFETCH_DATA_READ] = "PREFETCH_DATA_READ",
                                                 [REQUEST_PREFETCH_RFO] = "PREFETCH_RFO",
                                                 [REQUEST_PREFETCH_CODE_READ] = "PREFETCH_CODE_READ",
                                                 [REQUEST_L3_PREFETCH_DATA_READ] = "L3_PREFETCH_DATA_READ",
                                                 [REQUEST_L3_PREFETCH_RFO] = "L3_PREFETCH_RFO",
                                                 [REQUEST_L3_PREFETCH_CODE_READ] = "L3_PREFETCH_CODE_READ"};

const char *const supplier_names[SIM_SUPPLIERS] = {[SUPPLIER_L3] = "L3",
                                                   [SUPPLIER_SOCKET_CACHE] = "SOCKET_CACHE",
                                                   [SUPPLIER_LOCAL_DRAM] = "LOCAL_DRAM",
                                                   [SUPPLIER_REMOTE_DRAM] = "REMOTE_DRAM",
                                                   [SUPPLIER_REMOTE_CACHE] = "REMOTE_CACHE",
                                                   [SUPPLIER_NONE] = "NONE"};

const char *const answer_names[SIM_ANSWERS] = {[ANSWER_INVALID] = "INVALID",
                                               [ANSWER_SHARED] = "SHARED",
                                               [ANSWER_INVALID_FORWARD] = "INVALID_FORWARD",
                                               [ANSWER_SHARED_FORWARD] = "SHARED_FORWARD",
                                               [ANSWER_WRITEBACK] = "WRITEBACK",
                                               [ANSWER_FORWARD_WRITEBACK] = "FORWARD_WRITEBACK"};

const char *const dram_names[DRAM_COMMANDS] = {[DRAM_READ] = "READ", [DRAM_WRITE] = "WRITE"};

struct named_total {
    const char *name;
    struct total_name total;
};

#define SLICE(member) (uint32_t) offsetof(struct sim_slice_counts, member)
#define CHANNEL(member) (uint32_t) offsetof(struct sim_memory_counts, member)
#define HBM(member) (uint32_t) offsetof(struct sim_hbm_counts, member)
#define AGENT(member) (uint32_t) offsetof(struct sim_agent_counts, member)
#define SOCKET(member) (uint32_t) offsetof(struct sim_socket_counts, member)
#define OF_CORE (uint32_t) offsetof(struct sim_counts, core)

/* A single total of a place; lookups in the states that a filter selects; an element of an array by instance. */
#define ONE(scope_, offset_)                                                                                           \
    { .scope = scope_, .offset = offset_, .sets = 1, .totals = 1 }
#define STATES(kind)                                                                                                   \
    {                                                                                                                  \
        .scope = SCOPE_SLICE, .offset = SLICE(lookups[kind]), .choice = CHOICE_STATES, .sets = SIM_LINE_STATES,        \
        .set_step = 1, .totals = 1                                                                                     \
    }
#define OF_ARRAY(scope_, offset_)                                                                                      \
    { .scope = scope_, .offset = offset_, .sets = 1, .totals = 1, .place_step = 1 }

static const struct named_total other_names[] = {
    {"LOOKUP_DATA_READ", STATES(LOOKUP_DATA_READ)},
    {"LOOKUP_RFO", STATES(LOOKUP_RFO)},
    {"LOOKUP_CODE_READ", STATES(LOOKUP_CODE_READ)},
    {"LOOKUP_WRITE", STATES(LOOKUP_WRITE)},
    {"LOOKUP_REMOTE_SNOOP", STATES(LOOKUP_REMOTE_SNOOP)},
    {"LOOKUP_DATA_READ_MISS", ONE(SCOPE_SLICE, SLICE(lookups[LOOKUP_DATA_READ][LINE_I]))},
    {"LOOKUP_RFO_MISS", ONE(SCOPE_SLICE, SLICE(lookups[LOOKUP_RFO][LINE_I]))},
    {"LOOKUP_RFO_S", ONE(SCOPE_SLICE, SLICE(lookups[LOOKUP_RFO][LINE_S]))},
    {"LOOKUP_CODE_READ_MISS", ONE(SCOPE_SLICE, SLICE(lookups[LOOKUP_CODE_READ][LINE_I]))},
    {"VICTIM_S", ONE(SCOPE_SLICE, SLICE(victims[LINE_S]))},
    {"VICTIM_E", ONE(SCOPE_SLICE, SLICE(victims[LINE_E]))},
    {"VICTIM_F", ONE(SCOPE_SLICE, SLICE(victims[LINE_F]))},
    {"VICTIM_M", ONE(SCOPE_SLICE, SLICE(victims[LINE_M]))},
    {"VICTIM_O", ONE(SCOPE_SLICE, SLICE(victims[LINE_O]))},
    {"VICTIMS_IN_CLEAN", ONE(SCOPE_SLICE, SLICE(victims_in_clean))},
    {"VICTIMS_IN_MODIFIED", ONE(SCOPE_SLICE, SLICE(victims_in_modified))},
    {"SNOOPED", /* lookups on behalf of other domains */
     {.scope = SCOPE_SLICE,
      .offset = SLICE(lookups[LOOKUP_REMOTE_SNOOP]),
      .sets = 1,
      .totals = SIM_LINE_STATES,
      .step = 1}},
    {"STREAMS_OVER_MODIFIED", ONE(SCOPE_SLICE, SLICE(streams_over_modified))},
    {"CLEAN_GIVEN_UP", ONE(SCOPE_SLICE, SLICE(clean_given_up))},
    {"CAS_READ", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(cas_read))},
    {"CAS_WRITE", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(cas_write))},
    {"CAS_READ_REMOTE", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(cas_remote[DRAM_READ]))},
    {"CAS_WRITE_REMOTE", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(cas_remote[DRAM_WRITE]))},
    {"CAS_READ_SECOND", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(cas_second[DRAM_READ]))},
    {"CAS_WRITE_SECOND", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(cas_second[DRAM_WRITE]))},
    {"ACTIVATE_READ", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(activates[DRAM_READ]))},
    {"ACTIVATE_WRITE", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(activates[DRAM_WRITE]))},
    {"PRECHARGE_READ", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(precharges[DRAM_READ]))},
    {"PRECHARGE_WRITE", OF_ARRAY(SCOPE_CHANNEL, CHANNEL(precharges[DRAM_WRITE]))},
    {"HBM_READ", OF_ARRAY(SCOPE_HBM, HBM(cas[DRAM_READ]))},
    {"HBM_WRITE", OF_ARRAY(SCOPE_HBM, HBM(cas[DRAM_WRITE]))},
    {"AGENT_READS", ONE(SCOPE_AGENT, AGENT(reads))},
    {"AGENT_READS_BYPASS", ONE(SCOPE_AGENT, AGENT(reads_bypass))},
    {"AGENT_WRITES", ONE(SCOPE_AGENT, AGENT(writes))},
    {"AGENT_WRITES_PARTIAL", ONE(SCOPE_AGENT, AGENT(writes_partial))},
    {"AGENT_REQUESTS_LOCAL_READ", ONE(SCOPE_AGENT, AGENT(requests_local_read))},
    {"AGENT_REQUESTS_REMOTE_READ", ONE(SCOPE_AGENT, AGENT(requests_remote_read))},
    {"AGENT_REQUESTS_LOCAL_WRITE", ONE(SCOPE_AGENT, AGENT(requests_local_write))},
    {"AGENT_REQUESTS_REMOTE_WRITE", ONE(SCOPE_AGENT, AGENT(requests_remote_write))},
    {"LINK_DATA_LINES_OUT", OF_ARRAY(SCOPE_LINK, SOCKET(link_data_lines_out))},
    {"LINK_DATA_LINES_IN", OF_ARRAY(SCOPE_LINK, SOCKET(link_data_lines_in))},
    {"LINK_SNOOPS_OUT", OF_ARRAY(SCOPE_LINK, SOCKET(link_snoops_out))},
    {"LINK_SNOOPS_IN", OF_ARRAY(SCOPE_LINK, SOCKET(link_snoops_in))},
    {"LINK_READS_OUT", OF_ARRAY(SCOPE_LINK, SOCKET(link_reads_out))},
    {"LINK_READS_IN", OF_ARRAY(SCOPE_LINK, SOCKET(link_reads_in))},
    {"UNCORE_CYCLES", ONE(SCOPE_SOCKET, SOCKET(uncore_cycles))},
};

const char *core_count_name(int count) {
    return count >= 0 && count < CORE_COUNTS ? core_names[count] : NULL;
}

/* The rest of the name after `prefix`, NULL: another prefix. */
static const char *behind(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

/* OFFCORE_REQUEST[_SUPPLIER]: all snoop results, and without a supplier those of all suppliers. */
static int find_offcore(const char *name, struct total_name *out) {
    for (int request = 0; request < SIM_REQUESTS; request++) {
        const char *rest = behind(name, request_names[request]);
        if (rest && !*rest) {
            *out = (struct total_name)ONE(SCOPE_CORE, offcore_offset(0, (enum sim_request)request, 0, 0) - OF_CORE);
            out->totals = SIM_SUPPLIERS * SIM_SNOOPS;
            out->step = 1;
            return 0;
        }
        if (!rest || *rest++ != '_')
            continue;
        for (int supplier = 0; supplier < SIM_SUPPLIERS; supplier++)
            if (strcmp(rest, supplier_names[supplier]) == 0) {
                uint32_t offset = offcore_offset(0, (enum sim_request)request, (enum sim_supplier)supplier, SNOOP_NONE);
                *out = (struct total_name)ONE(SCOPE_CORE, offset - OF_CORE);
                out->totals = SIM_SNOOPS;
                out->step = 1;
                return 0;
            }
    }
    return -1;
}

/* SLICE_ names: kinds of requests, and a choice of each kind's four totals, knowledge by distance. */
static int find_slice_requests(const char *name, struct total_name *out) {
    static const struct {
        const char *rest;
        uint32_t first, totals, step;
    } parts[] = {{"", 0, SIM_KNOWLEDGES * SIM_DISTANCES, 1},
                 {"_MISS", 0, SIM_DISTANCES, 1},
                 {"_LOCAL", DISTANCE_LOCAL, SIM_KNOWLEDGES, SIM_DISTANCES},
                 {"_REMOTE", DISTANCE_REMOTE, SIM_KNOWLEDGES, SIM_DISTANCES},
                 {"_MISS_LOCAL", DISTANCE_LOCAL, 1, 0},
                 {"_MISS_REMOTE", DISTANCE_REMOTE, 1, 0}};
    _Static_assert(LINE_UNKNOWN == 0, "those that miss are the first of their kind");
    uint32_t first = 0;
    const char *rest = behind(name, "ALL");
    *out = (struct total_name){.scope = SCOPE_SLICE, .sets = SIM_REQUESTS, .set_step = SIM_KNOWLEDGES * SIM_DISTANCES};
    if (!rest && (rest = behind(name, "OPCODE")))
        out->choice = CHOICE_REQUESTS;
    for (uint32_t request = 0; !rest && request < SIM_REQUESTS; request++)
        if ((rest = behind(name, request_names[request]))) {
            out->sets = 1;
            first = request * out->set_step;
        }
    for (size_t i = 0; rest && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(rest, parts[i].rest) == 0) {
            out->offset = SLICE(requests) + 8u * (first + parts[i].first);
            out->totals = parts[i].totals;
            out->step = parts[i].step;
            return 0;
        }
    return -1;
}

static int find_answers(const char *name, struct total_name *out) {
    for (int answer = 0; answer < SIM_ANSWERS; answer++) {
        const char *rest = behind(name, answer_names[answer]);
        if (!rest || (*rest && strcmp(rest, "_LOCAL") != 0))
            continue;
        *out = (struct total_name)ONE(SCOPE_AGENT, AGENT(answers[DISTANCE_LOCAL]) + 8u * (uint32_t)answer);
        out->totals = *rest ? 1 : SIM_DISTANCES;
        out->step = SIM_ANSWERS;
        return 0;
    }
    return -1;
}

/* Parses `prefix` and a number below `limit`, and advances `name`; -1: not there. */
static int number_behind(const char **name, const char *prefix, uint32_t limit) {
    char *end;
    const char *rest = behind(*name, prefix);
    unsigned long number = rest && *rest >= '0' && *rest <= '9' ? strtoul(rest, &end, 10) : limit;
    if (number >= limit)
        return -1;
    *name = end;
    return (int)number;
}

/* BANK_COMMAND_RANKr, then _BANKb, _GROUPg or nothing. */
static int find_banks(const char *name, struct total_name *out) {
    enum { GROUP_BANKS = 4 };
    for (int command = 0; command < DRAM_COMMANDS; command++) {
        const char *rest = behind(name, dram_names[command]);
        int rank = rest ? number_behind(&rest, "_RANK", SIM_RANKS_MAX) : -1, first = 0;
        if (rank < 0)
            continue;
        *out = (struct total_name)ONE(SCOPE_CHANNEL, 0);
        out->totals = *rest ? 1 : SIM_BANKS_MAX;
        out->step = 1;
        out->place_step = SIM_RANKS_MAX * SIM_BANKS_MAX;
        if (behind(rest, "_GROUP")) {
            out->totals = GROUP_BANKS;
            first = GROUP_BANKS * number_behind(&rest, "_GROUP", SIM_BANKS_MAX / GROUP_BANKS);
        } else if (*rest) {
            first = number_behind(&rest, "_BANK", SIM_BANKS_MAX);
        }
        out->offset = CHANNEL(banks[command]) + 8u * (uint32_t)(rank * SIM_BANKS_MAX + first);
        return first < 0 || *rest ? -1 : 0;
    }
    return -1;
}

static const struct {
    const char *prefix;
    int (*find)(const char *rest, struct total_name *out);
} families[] = {
    {"OFFCORE_", find_offcore}, {"SLICE_", find_slice_requests}, {"ANSWER_", find_answers}, {"BANK_", find_banks}};

int total_find(const char *name, struct total_name *out) {
    for (int i = 0; i < CORE_COUNTS; i++)
        if (core_names[i] && strcmp(core_names[i], name) == 0) {
            *out = (struct total_name)ONE(SCOPE_CORE,
                                          (uint32_t)offsetof(struct sim_core_counts, total) + 8u * (uint32_t)i);
            return 0;
        }
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].name, name) == 0) {
            *out = other_names[i].total;
            return 0;
        }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const char *rest = behind(name, families[i].prefix);
        if (rest)
            return families[i].find(rest, out);
    }
    return -1;
}
