/* sim_reference.h - a second implementation of the simulated hardware, written only from the specification
 * (docs/simulator.md and the headers of vnode/sim), as simple as possible: linear searches, one function per rule,
 * slow. Tests compare the simulator with it.
 *
 *   sim_reference_array.h    lines in sets with LRU replacement
 *   sim_reference_rules.h    the cases that the specification distinguishes
 *   sim_reference_node.h     the data structures
 *   sim_reference_memory.h   homes of pages, home agents, channels, links
 *   sim_reference_level.h    a domain's known lines, its last level and filter, snoops
 *   sim_reference_request.h  requests, victims of L2, writes that bypass the caches
 *   sim_reference_core.h     a core's private parts, and the accesses: ref_load() and so on
 *
 * Retired instructions, the uncore's clock (which depends on them) and branches are left out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_H
#define ASSAY_TESTS_SIM_REFERENCE_H

#include "sim_reference_core.h"

static inline struct ref_array ref_cache_make(const struct sim_config *config, const struct sim_cache_config *cache,
                                              uint32_t slices) {
    return ref_array_make(cache->size / config->line, cache->ways, slices);
}

static inline struct ref_array ref_tlb_make(const struct sim_tlb_config *tlb) {
    return ref_array_make(tlb->entries, tlb->ways, 1);
}

/* Without a TLB for large pages: one with a single entry that is never used. */
static inline struct ref_array ref_large_tlb_make(const struct sim_config *config) {
    static const struct sim_tlb_config unused = {1, 1};
    return ref_tlb_make(config->dtlb_large.entries ? &config->dtlb_large : &unused);
}

/* Without a filter: one with a single entry that is never used. */
static inline struct ref_array ref_filter_make(const struct sim_config *config) {
    int used = config->directory == SIM_SNOOP_FILTER;
    return ref_array_make(used ? config->filter.entries : 1, used ? config->filter.ways : 1, config->slices);
}

/* Makes an empty node; free it with reference_free(). */
static inline struct reference *reference_make(const struct sim_config *config) {
    enum { KNOWN_SETS = 1021, KNOWN_WAYS = 16 }; /* prime, so that no trace fills one of these sets */
    struct reference *node = (struct reference *)calloc(1, sizeof *node);
    if (!node || !(node->counts = (struct sim_counts *)calloc(1, sizeof *node->counts)))
        abort();
    node->config = *config;
    for (uint32_t i = 0; i < sim_cores(config); i++)
        node->core[i] = (struct ref_core){.node = node,
                                          .number = i,
                                          .domain = sim_domain_of(config, i),
                                          .socket = sim_socket_of(config, i),
                                          .l1d = ref_cache_make(config, &config->l1d, 1),
                                          .l1i = ref_cache_make(config, &config->l1i, 1),
                                          .l2 = ref_cache_make(config, &config->l2, 1),
                                          .dtlb = ref_tlb_make(&config->dtlb),
                                          .itlb = ref_tlb_make(&config->itlb),
                                          .stlb = ref_tlb_make(&config->stlb),
                                          .dtlb_large = ref_large_tlb_make(config)};
    for (uint32_t i = 0; i < sim_domains(config); i++)
        node->domain[i] = (struct ref_domain){.node = node,
                                              .number = i,
                                              .socket = i / config->domains_per_socket,
                                              .known = ref_array_make(KNOWN_SETS * KNOWN_WAYS, KNOWN_WAYS, 1),
                                              .level = ref_cache_make(config, &config->l3, config->slices),
                                              .filter = ref_filter_make(config),
                                              .counts = &node->counts->domain[i]};
    return node;
}

/* The core of a hardware thread, which executes from now on. */
static inline struct ref_core *reference_core(struct reference *node, uint32_t cpu) {
    struct ref_core *core = &node->core[cpu % sim_cores(&node->config)];
    core->flight = &node->flight[cpu];
    core->counts = &node->counts->core[cpu];
    return core;
}

static inline void reference_free(struct reference *node) {
    for (uint32_t i = 0; i < sim_cores(&node->config); i++) {
        struct ref_core *core = &node->core[i];
        struct ref_array *arrays[] = {&core->l1d,  &core->l1i,  &core->l2,        &core->dtlb,
                                      &core->itlb, &core->stlb, &core->dtlb_large};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            free(arrays[a]->way);
    }
    for (uint32_t i = 0; i < sim_domains(&node->config); i++) {
        free(node->domain[i].known.way);
        free(node->domain[i].level.way);
        free(node->domain[i].filter.way);
    }
    free(node->counts);
    free(node);
}

#endif
