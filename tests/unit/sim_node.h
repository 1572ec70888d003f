/* sim_node.h - the two Haswell-EP nodes used by the simulator's unit tests, and short names for their counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_NODE_H
#define ASSAY_TESTS_SIM_NODE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vnode/sim/sim.h"

enum {
    LINE = 64,
    PAGE = 4096,
    LARGE = 2 << 20, /* page */
    L1_LINES = (32 << 10) / LINE,
    L2_LINES = (256 << 10) / LINE,
    L3_SLICE_LINES = (2560 << 10) / LINE,
    L2_LATENCY = 12,
    L3_LATENCY = 34,
    MEMORY_LATENCY = 200,
    REMOTE_LATENCY = 310,
    WALK_LATENCY = 30,
    BRANCH_PENALTY = 15,
};

struct node {
    struct sim_config config;
    struct sim_counts *counts;
    struct sim *sim;
    void *memory;
};

static inline struct sim_config node_config(uint32_t sockets, uint32_t cores_per_socket) {
    return (struct sim_config){
        .sockets = sockets,
        .cores_per_socket = cores_per_socket,
        .domains_per_socket = 1,
        .numa_per_socket = 1,
        .line = LINE,
        .page = PAGE,
        .large_page = LARGE,
        .l1i = {32 << 10, 8, 0},
        .l1d = {32 << 10, 8, 0},
        .l2 = {256 << 10, 8, L2_LATENCY},
        .l3 = {2560 << 10, 20, L3_LATENCY},
        .slices = cores_per_socket,
        .channels = 8,
        .ranks = 4,
        .banks = 16,
        .dram_row = 8 << 10,
        .agents = 2,
        .links = 1,
        .memory_latency = MEMORY_LATENCY,
        .remote_latency = REMOTE_LATENCY,
        .dtlb = {64, 4},
        .itlb = {128, 4},
        .stlb = {1024, 8},
        .dtlb_large = {32, 4},
        .walk_latency = WALK_LATENCY,
        .branch_penalty = BRANCH_PENALTY,
        .instructions_per_cycle_x4 = 16,
        .clock_hz = 2300000000,
        .uncore_hz = 2300000000,
    };
}

/* A node that is freed at the end of its block: NODE node = node_1x2(); */
#define NODE __attribute__((cleanup(node_free))) struct node

/* Makes a node. Free it with node_free() unless it is declared as NODE. */
static inline struct node node_make(struct sim_config config) {
    struct node node = {.config = config};
    assert_null(sim_config_error(&config));
    size_t bytes = sim_bytes(&config);
    node.memory = aligned_alloc(64, bytes);
    node.counts = calloc(1, sizeof *node.counts);
    assert_non_null(node.memory);
    assert_non_null(node.counts);
    memset(node.memory, 0, bytes);
    node.sim = sim_init(node.memory, &config, node.counts);
    return node;
}

static inline struct node node_1x2(void) {
    return node_make(node_config(1, 2));
}

static inline struct node node_2x1(void) {
    return node_make(node_config(2, 1));
}

static inline void node_free(struct node *node) {
    free(node->counts);
    free(node->memory);
}

static inline struct sim_core *node_core(const struct node *node, uint32_t core) {
    return sim_core(node->sim, core);
}

static inline uint64_t total(const struct node *node, uint32_t core, enum sim_core_count count) {
    return node->counts->core[core].total[count];
}

static inline uint64_t cas_reads(const struct node *node, uint32_t socket) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->config.channels; i++)
        sum += node->counts->memory[socket].cas_read[i];
    return sum;
}

/* Number of lines read or written on behalf of other sockets. */
static inline uint64_t cas_remote(const struct node *node, uint32_t socket, enum dram_command command) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->config.channels; i++)
        sum += node->counts->memory[socket].cas_remote[command][i];
    return sum;
}

static inline uint64_t cas_writes(const struct node *node, uint32_t socket) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->config.channels; i++)
        sum += node->counts->memory[socket].cas_write[i];
    return sum;
}

/* Sum of one field over the home agents of a socket. */
#define AGENTS(node, s, field) ((node)->counts->memory[s].agent[0].field + (node)->counts->memory[s].agent[1].field)

static inline uint64_t lookups(const struct node *node, uint32_t socket, enum sim_lookup kind,
                               enum sim_line_state state) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->config.slices; i++)
        sum += node->counts->domain[socket].slice[i].lookups[kind][state];
    return sum;
}

static inline uint64_t victims(const struct node *node, uint32_t socket, enum sim_line_state state) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->config.slices; i++)
        sum += node->counts->domain[socket].slice[i].victims[state];
    return sum;
}

static inline uint64_t offcore(const struct node *node, uint32_t core, enum sim_request request,
                               enum sim_supplier supplier, enum sim_snoop snoop) {
    return node->counts->core[core].offcore[request][supplier][snoop];
}

#endif
