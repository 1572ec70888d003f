/* sim_reference_node.h - part of sim_reference.h: data structures of a node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_NODE_H
#define ASSAY_TESTS_SIM_REFERENCE_NODE_H

#include "sim_reference_array.h"
#include "sim_reference_rules.h"

#include "vnode/sim/counts.h"
#include "vnode/sim/sim.h"

enum { REF_WC_BUFFERS = 10, REF_PAGES = 4096, REF_LINE_MAX = 128 };

struct reference;

struct ref_wc { /* a write-combining buffer */
    uint64_t line;
    unsigned char written[REF_LINE_MAX]; /* 1 for each written byte */
};

struct ref_store {
    uint64_t address;
    uint32_t size;
    uint64_t loads; /* loads before it */
};

enum { REF_STORES_IN_FLIGHT = 42, REF_LOADS_BETWEEN = 72 };

/* Stores in flight of a hardware thread. */
struct ref_flight {
    struct ref_store stores[REF_STORES_IN_FLIGHT]; /* the most recent ones, oldest first */
    int in_flight;
};

struct ref_core {
    struct reference *node;
    uint32_t number, domain, socket;
    struct ref_array l1d, l1i, l2, dtlb, itlb, stlb, dtlb_large;
    struct ref_wc wc[REF_WC_BUFFERS]; /* in the order of opening */
    int wc_open;
    uint64_t owned_line,
        owned_lines;           /* the last line to own that its domain did not know; consecutive ones before it */
    struct ref_flight *flight; /* of the hardware thread that executes, as the counts */
    struct sim_core_counts *counts;
};

/* Cores that share a last level. `known` has an entry for each line that the domain knows; it is practically unlimited
 * and evicts nothing. `level` and `filter` only store which lines they contain and their LRU order. */
struct ref_domain {
    struct reference *node;
    uint32_t number, socket;
    struct ref_array known, level, filter;
    struct sim_domain_counts *counts;
};

struct ref_home {
    uint64_t page;
    uint32_t numa;
};

struct reference {
    struct sim_config config;
    large_pages *is_large; /* NULL: no large pages */
    struct sim_counts *counts;
    struct ref_core core[SIM_CORES_MAX];
    struct ref_flight flight[SIM_CORES_MAX]; /* by hardware thread */
    struct ref_domain domain[SIM_DOMAINS_MAX];
    struct ref_home home[REF_PAGES];
    uint32_t pages;
    uint64_t open_row[SIM_NUMA_MAX][SIM_CHANNELS_MAX][SIM_RANKS_MAX][SIM_BANKS_MAX]; /* + 1 */
    uint64_t reached[REF_RULES][REF_CASES];
};

/* Records that a case of a rule was met. */
static inline void ref_reach(struct reference *node, enum ref_rule rule, int which) {
    node->reached[rule][which]++;
}

#endif
