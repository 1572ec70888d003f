/* node.h - the node for the harnesses of the PMU: two sockets with two cores each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_FUZZ_NODE_H
#define ASSAY_TESTS_FUZZ_NODE_H

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "vnode/pmu/pmu.h"
#include "vnode/pmu/table_file.h"

enum { NODE_CLIENT = 4711, NODE_CORES = 4, NODE_SOCKETS = 2 };

/* The data that a pmu refers to. */
struct fuzz_node {
    struct node_file file;
    struct pmu_state state;
};

static inline struct pmu_table *load_events(const char *path) {
    char error[512];
    struct pmu_table *table = calloc(1, sizeof *table);
    FUZZ_CHECK(table && !table_load(path, table, error, sizeof error), "%s", error);
    return table;
}

static inline void init_node(struct fuzz_node *node) {
    memset(node, 0, sizeof *node);
    node->file.config = (struct sim_config){.sockets = NODE_SOCKETS,
                                            .cores_per_socket = NODE_CORES / NODE_SOCKETS,
                                            .domains_per_socket = 1,
                                            .numa_per_socket = 1,
                                            .slices = 2,
                                            .channels = 8,
                                            .agents = 2,
                                            .links = 1,
                                            .clock_hz = UINT64_C(2300000000),
                                            .uncore_hz = UINT64_C(2300000000)};
    node->file.likwid_version = 50202;
    node->file.owner[3].pid = NODE_CLIENT;
}

/* Increases every total of the client's program by `by`. */
static inline void count_all(struct fuzz_node *node, uint64_t by) {
    uint64_t *total = (uint64_t *)&node->file.slot[3].published;
    for (size_t i = 0; i < sizeof(struct sim_counts) / sizeof *total; i++)
        total[i] += by;
}

static inline struct pmu make_pmu(struct fuzz_node *node, const struct pmu_table *table) {
    return (struct pmu){.table = table, .view = {.node = &node->file, .client = NODE_CLIENT}, .state = &node->state};
}

#endif
