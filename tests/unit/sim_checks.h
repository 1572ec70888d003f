/* sim_checks.h - what must hold after any accesses: conservation laws between counts of different parts, and the
 * invariants of inclusion and coherence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_CHECKS_H
#define ASSAY_TESTS_SIM_CHECKS_H

#include "sim_node.h"

#include "vnode/sim/hardware.h"

static inline uint64_t all_offcore(const struct node *node, uint32_t core, enum sim_request request) {
    uint64_t sum = 0;
    for (int supplier = 0; supplier < SIM_SUPPLIERS; supplier++)
        for (int snoop = 0; snoop < SIM_SNOOPS; snoop++)
            sum += offcore(node, core, request, (enum sim_supplier)supplier, (enum sim_snoop)snoop);
    return sum;
}

static inline uint64_t all_lookups(const struct node *node, uint32_t socket, enum sim_lookup kind) {
    uint64_t sum = 0;
    for (int s = 0; s < SIM_LINE_STATES; s++)
        sum += lookups(node, socket, kind, (enum sim_line_state)s);
    return sum;
}

/* What one core counts in different places. */
static inline void check_core(const struct node *node, uint32_t core) {
#define T(count) total(node, core, count)
    assert_int_equal(T(CORE_LOADS), T(CORE_LOAD_L1_HIT) + T(CORE_LOAD_L1_MISS));
    assert_int_equal(T(CORE_LOAD_L1_MISS), T(CORE_LOAD_L2_HIT) + T(CORE_LOAD_L2_MISS));
    assert_int_equal(T(CORE_LOAD_L2_MISS), T(CORE_LOAD_L3_HIT) + T(CORE_LOAD_L3_MISS));
    assert_int_equal(T(CORE_LOAD_L3_HIT), T(CORE_LOAD_L3_HIT_SNOOP_NONE) + T(CORE_LOAD_L3_HIT_SNOOP_MISS) +
                                              T(CORE_LOAD_L3_HIT_SNOOP_HIT) + T(CORE_LOAD_L3_HIT_SNOOP_HITM));
    assert_int_equal(T(CORE_LOAD_L3_MISS), T(CORE_LOAD_LOCAL_DRAM) + T(CORE_LOAD_REMOTE_DRAM) +
                                               T(CORE_LOAD_REMOTE_HITM) + T(CORE_LOAD_REMOTE_FORWARD));
    assert_int_equal(T(CORE_L2_DATA_READ_MISS), all_offcore(node, core, REQUEST_DATA_READ));
    assert_int_equal(T(CORE_L2_RFO_MISS), all_offcore(node, core, REQUEST_RFO));
    assert_int_equal(T(CORE_L2_CODE_READ_MISS), all_offcore(node, core, REQUEST_CODE_READ));
    assert_int_equal(T(CORE_L2_WRITEBACK), all_offcore(node, core, REQUEST_WRITEBACK));
    assert_int_equal(T(CORE_L2_WRITEBACK), T(CORE_L2_LINES_OUT_DIRTY));
    assert_int_equal(T(CORE_L1I_MISS), T(CORE_L2_CODE_READ_HIT) + T(CORE_L2_CODE_READ_MISS));
#undef T
}

/* Requests of the cores against lookups of the slices, misses against requests to home agents, agents against channels.
 */
static inline void check_uncore(const struct node *node) {
    const struct sim_config *config = &node->config;
    uint64_t misses = 0, requests = 0;
    for (uint32_t s = 0; s < config->sockets; s++) {
        static const struct {
            enum sim_request request;
            enum sim_lookup lookup;
        } pairs[] = {{REQUEST_DATA_READ, LOOKUP_DATA_READ},
                     {REQUEST_RFO, LOOKUP_RFO},
                     {REQUEST_CODE_READ, LOOKUP_CODE_READ},
                     {REQUEST_WRITEBACK, LOOKUP_WRITE}};
        for (size_t p = 0; p < 4; p++) {
            uint64_t left = 0;
            for (uint32_t c = 0; c < config->cores_per_socket; c++)
                left += all_offcore(node, s * config->cores_per_socket + c, pairs[p].request);
            assert_int_equal(left, all_lookups(node, s, pairs[p].lookup));
        }
        assert_int_equal(lookups(node, s, LOOKUP_WRITE, LINE_I), 0); /* the L3 is inclusive */
        misses += lookups(node, s, LOOKUP_DATA_READ, LINE_I) + lookups(node, s, LOOKUP_RFO, LINE_I) +
                  lookups(node, s, LOOKUP_CODE_READ, LINE_I);
        requests += AGENTS(node, s, requests_local_read) + AGENTS(node, s, requests_remote_read);
        const struct sim_socket_counts *counts = &node->counts->socket[s];
        for (uint32_t a = 0; a < config->agents; a++) {
            uint32_t per_agent = config->channels / config->agents;
            uint64_t reads = 0, writes = 0;
            for (uint32_t i = a * per_agent; i < (a + 1) * per_agent; i++) {
                reads += counts->cas_read[i];
                writes += counts->cas_write[i];
            }
            assert_int_equal(counts->agent[a].reads, reads);
            assert_int_equal(counts->agent[a].writes, writes);
            assert_int_equal(counts->agent[a].requests_local_write + counts->agent[a].requests_remote_write, writes);
        }
    }
    assert_int_equal(misses, requests);
}

/* Every private copy is in the L3 with its core-valid bit; what a core may write is its alone, in all sockets. */
static inline void check_copies(const struct node *node, const struct sim_core *core, const struct cache *cache) {
    for (uint64_t i = 0; i < (cache->set_mask + 1) * cache->stride; i++) {
        uint64_t word = cache->words[i];
        if (!word)
            continue;
        struct l3_place place = l3_find(&core->socket->l3, cache_key(word));
        assert_true(place.way >= 0);
        uint32_t sharers = place.set->sharers[place.way];
        assert_true(sharers & core->bit);
        if (cache_state(word) == PRIVATE_S)
            continue;
        assert_int_equal(sharers, core->bit);
        assert_in_set(place.set->state[place.way], ((const unsigned long[]){LINE_E, LINE_M}), 2);
        for (uint32_t s = 0; s < node->config.sockets; s++)
            if (&node->sim->socket[s] != core->socket)
                assert_true(l3_find(&node->sim->socket[s].l3, cache_key(word)).way < 0);
    }
}

static inline void check_invariants(const struct node *node) {
    for (uint32_t c = 0; c < node->config.sockets * node->config.cores_per_socket; c++) {
        const struct sim_core *core = node_core(node, c);
        check_copies(node, core, &core->l1d);
        check_copies(node, core, &core->l1i);
        check_copies(node, core, &core->l2);
        check_core(node, c);
    }
    check_uncore(node);
}

#endif
