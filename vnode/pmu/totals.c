/* totals.c - the totals of vnode/sim/counts.h by name, and their sums over all processes of a node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "totals.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define NAMED(count) [count] = #count

static const char *const core_names[CORE_COUNTS] = {
    NAMED(CORE_INSTRUCTIONS),
    NAMED(CORE_AVX_LOADS),
    NAMED(CORE_AVX_STORES),
    NAMED(CORE_AVX_CALC),
    NAMED(CORE_DIVIDER_UOPS),
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
    NAMED(CORE_MISPREDICTED),
    NAMED(CORE_MISPREDICTED_CONDITIONAL),
    NAMED(CORE_MISPREDICTED_TAKEN),
    NAMED(CORE_LOADS),
    NAMED(CORE_STORES),
    NAMED(CORE_STORES_NT),
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
    NAMED(CORE_L2_L1D_WRITEBACK),
    NAMED(CORE_L2_LINES_IN_S),
    NAMED(CORE_L2_LINES_IN_E),
    NAMED(CORE_L2_WRITEBACK),
    NAMED(CORE_L2_LINES_OUT_CLEAN),
    NAMED(CORE_L2_VICTIM_CLEAN),
    NAMED(CORE_L2_LINES_OUT_DIRTY),
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
                                                 [REQUEST_STREAMING_STORE] = "STREAMING_STORE"};

const char *const supplier_names[SIM_SUPPLIERS] = {[SUPPLIER_L3] = "L3",
                                                   [SUPPLIER_SOCKET_CACHE] = "SOCKET_CACHE",
                                                   [SUPPLIER_LOCAL_DRAM] = "LOCAL_DRAM",
                                                   [SUPPLIER_REMOTE_DRAM] = "REMOTE_DRAM",
                                                   [SUPPLIER_REMOTE_CACHE] = "REMOTE_CACHE",
                                                   [SUPPLIER_NONE] = "NONE"};

struct named_total {
    const char *name;
    struct total_name total;
};

#define SLICE(member) (uint32_t) offsetof(struct sim_slice_counts, member)
#define CHANNEL(member) (uint32_t) offsetof(struct sim_memory_counts, member)
#define AGENT(member) (uint32_t) offsetof(struct sim_agent_counts, member)
#define SOCKET(member) (uint32_t) offsetof(struct sim_socket_counts, member)

static const struct named_total other_names[] = {
    {"LOOKUP_DATA_READ", {SCOPE_SLICE, SLICE(lookups[LOOKUP_DATA_READ]), 1, 0}},
    {"LOOKUP_RFO", {SCOPE_SLICE, SLICE(lookups[LOOKUP_RFO]), 1, 0}},
    {"LOOKUP_CODE_READ", {SCOPE_SLICE, SLICE(lookups[LOOKUP_CODE_READ]), 1, 0}},
    {"LOOKUP_WRITE", {SCOPE_SLICE, SLICE(lookups[LOOKUP_WRITE]), 1, 0}},
    {"LOOKUP_REMOTE_SNOOP", {SCOPE_SLICE, SLICE(lookups[LOOKUP_REMOTE_SNOOP]), 1, 0}},
    {"LOOKUP_DATA_READ_MISS", {SCOPE_SLICE, SLICE(lookups[LOOKUP_DATA_READ][LINE_I]), 0, 0}},
    {"LOOKUP_RFO_MISS", {SCOPE_SLICE, SLICE(lookups[LOOKUP_RFO][LINE_I]), 0, 0}},
    {"LOOKUP_CODE_READ_MISS", {SCOPE_SLICE, SLICE(lookups[LOOKUP_CODE_READ][LINE_I]), 0, 0}},
    {"VICTIM_S", {SCOPE_SLICE, SLICE(victims[LINE_S]), 0, 0}},
    {"VICTIM_E", {SCOPE_SLICE, SLICE(victims[LINE_E]), 0, 0}},
    {"VICTIM_F", {SCOPE_SLICE, SLICE(victims[LINE_F]), 0, 0}},
    {"VICTIM_M", {SCOPE_SLICE, SLICE(victims[LINE_M]), 0, 0}},
    {"VICTIM_O", {SCOPE_SLICE, SLICE(victims[LINE_O]), 0, 0}},
    {"VICTIMS_IN_CLEAN", {SCOPE_SLICE, SLICE(victims_in_clean), 0, 0}},
    {"VICTIMS_IN_MODIFIED", {SCOPE_SLICE, SLICE(victims_in_modified), 0, 0}},
    {"CAS_READ", {SCOPE_CHANNEL, CHANNEL(cas_read), 0, 0}},
    {"CAS_WRITE", {SCOPE_CHANNEL, CHANNEL(cas_write), 0, 0}},
    {"AGENT_READS", {SCOPE_AGENT, AGENT(reads), 0, 0}},
    {"AGENT_READS_BYPASS", {SCOPE_AGENT, AGENT(reads_bypass), 0, 0}},
    {"AGENT_WRITES", {SCOPE_AGENT, AGENT(writes), 0, 0}},
    {"AGENT_WRITES_PARTIAL", {SCOPE_AGENT, AGENT(writes_partial), 0, 0}},
    {"AGENT_REQUESTS_LOCAL_READ", {SCOPE_AGENT, AGENT(requests_local_read), 0, 0}},
    {"AGENT_REQUESTS_REMOTE_READ", {SCOPE_AGENT, AGENT(requests_remote_read), 0, 0}},
    {"AGENT_REQUESTS_LOCAL_WRITE", {SCOPE_AGENT, AGENT(requests_local_write), 0, 0}},
    {"AGENT_REQUESTS_REMOTE_WRITE", {SCOPE_AGENT, AGENT(requests_remote_write), 0, 0}},
    {"LINK_DATA_LINES_OUT", {SCOPE_LINK, SOCKET(link_data_lines_out), 0, 0}},
    {"UNCORE_CYCLES", {SCOPE_SOCKET, SOCKET(uncore_cycles), 0, 0}},
};

const char *core_count_name(int count) {
    return count >= 0 && count < CORE_COUNTS ? core_names[count] : NULL;
}

static uint32_t core_offset(uint32_t core) {
    return (uint32_t)(offsetof(struct sim_counts, core) + core * sizeof(struct sim_core_counts));
}

/* OFFCORE_REQUEST_SUPPLIER: its row of snoop results. */
static int find_offcore(const char *name, struct total_name *out) {
    static const char prefix[] = "OFFCORE_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return -1;
    for (int request = 0; request < SIM_REQUESTS; request++) {
        const char *rest = name + sizeof prefix - 1;
        size_t length = strlen(request_names[request]);
        if (strncmp(rest, request_names[request], length) != 0 || rest[length] != '_')
            continue;
        for (int supplier = 0; supplier < SIM_SUPPLIERS; supplier++)
            if (strcmp(rest + length + 1, supplier_names[supplier]) == 0) {
                *out = (struct total_name){
                    SCOPE_CORE,
                    offcore_offset(0, (enum sim_request)request, (enum sim_supplier)supplier, SNOOP_NONE) -
                        core_offset(0),
                    0, SIM_SNOOPS};
                return 0;
            }
    }
    return -1;
}

int total_find(const char *name, struct total_name *out) {
    for (int i = 0; i < CORE_COUNTS; i++)
        if (core_names[i] && strcmp(core_names[i], name) == 0) {
            *out = (struct total_name){SCOPE_CORE, (uint32_t)offsetof(struct sim_core_counts, total) + 8u * (uint32_t)i,
                                       0, 0};
            return 0;
        }
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].name, name) == 0) {
            *out = other_names[i].total;
            return 0;
        }
    return find_offcore(name, out);
}

static uint32_t socket_offset(const struct place *place) {
    return (uint32_t)(offsetof(struct sim_counts, socket) + place->socket * sizeof(struct sim_socket_counts));
}

static uint32_t memory_offset(const struct place *place) {
    return (uint32_t)(offsetof(struct sim_counts, memory) + place->numa * sizeof(struct sim_memory_counts));
}

uint32_t total_offset(const struct total_name *total, const struct place *place) {
    switch (total->scope) {
    case SCOPE_CORE:
        return core_offset(place->core) + total->offset;
    case SCOPE_SLICE:
        return (uint32_t)(offsetof(struct sim_counts, domain) + place->domain * sizeof(struct sim_domain_counts) +
                          place->instance * sizeof(struct sim_slice_counts)) +
               total->offset;
    case SCOPE_AGENT:
        return memory_offset(place) + CHANNEL(agent) + place->instance * (uint32_t)sizeof(struct sim_agent_counts) +
               total->offset;
    case SCOPE_CHANNEL:
        return memory_offset(place) + total->offset + 8u * place->instance;
    case SCOPE_LINK:
        return socket_offset(place) + total->offset + 8u * place->instance;
    default:
        return socket_offset(place) + total->offset;
    }
}

uint32_t offcore_offset(uint32_t core, enum sim_request request, enum sim_supplier supplier, enum sim_snoop snoop) {
    uint32_t index = ((uint32_t)request * SIM_SUPPLIERS + (uint32_t)supplier) * SIM_SNOOPS + (uint32_t)snoop;
    return core_offset(core) + (uint32_t)offsetof(struct sim_core_counts, offcore) + 8u * index;
}

void node_lock(struct node_file *node) {
    enum { PATIENCE = 1000 }; /* tries before asking whether the holder lives */
    uint32_t self = (uint32_t)getpid();
    for (unsigned tries = 1;; tries++) {
        uint32_t holder = 0;
        if (__atomic_compare_exchange_n(&node->lock, &holder, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        if (tries % PATIENCE == 0 && kill((pid_t)holder, 0) != 0 && errno == ESRCH &&
            __atomic_compare_exchange_n(&node->lock, &holder, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        sched_yield();
    }
}

void node_unlock(struct node_file *node) {
    __atomic_store_n(&node->lock, 0, __ATOMIC_RELEASE);
}

void node_ask(struct node_file *node, const struct total_name *total) {
    static const uint32_t asked[] = {CORE_LOADS_NOT_FORWARDED, CORE_LOADS_ALIASED};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (total->scope == SCOPE_CORE && total->offset == offsetof(struct sim_core_counts, total) + 8u * asked[i])
            __atomic_store_n(&node->follows, 1, __ATOMIC_RELAXED);
}

static uint64_t total_at(const struct sim_counts *counts, uint32_t offset) {
    return __atomic_load_n((const uint64_t *)(const void *)((const char *)counts + offset), __ATOMIC_RELAXED);
}

uint64_t node_total(const struct node_view *view, uint32_t offset) {
    int all = !__atomic_load_n(&view->node->measures, __ATOMIC_ACQUIRE);
    uint64_t sum = total_at(&view->node->ended, offset) + (all ? total_at(&view->node->ended_beside, offset) : 0);
    for (int i = 0; i < NODE_SLOTS; i++) {
        const struct node_owner *owner = &view->node->owner[i];
        const struct node_slot *slot = &view->node->slot[i];
        pid_t pid = __atomic_load_n(&owner->pid, __ATOMIC_ACQUIRE);
        if (pid != 0 && (all || !owner->beside))
            sum += total_at(pid == view->client ? &slot->published : &slot->live, offset);
    }
    return sum;
}
