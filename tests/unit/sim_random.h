/* sim_random.h - compares the simulator with the reference (sim_reference.h) on random traces.
 *
 * All totals are compared after every access. SIM_RANDOM_SEED= and SIM_RANDOM_ACCESSES= select other and longer traces.
 * The default trace must cover every case of the specification; other traces need not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_RANDOM_H
#define ASSAY_TESTS_SIM_RANDOM_H

#include <inttypes.h>

#include "sim_node.h"

#include "cases.h"
#include "sim_random_compare.h"
#include "sim_reference_trace.h"

enum { RANDOM_ACCESSES = 1000000, RANDOM_FEW = RANDOM_ACCESSES / 8, RANDOM_SEED = 1, RARELY = 100 };

static inline uint64_t environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

/* A node with the smallest caches that the simulator supports, so that all cases are frequent. */
static inline struct sim_config random_config(uint32_t sockets, uint32_t cores_per_socket) {
    struct sim_config config = node_config(sockets, cores_per_socket);
    config.l1i = (struct sim_cache_config){2 * 2 * LINE, 2, 0};
    config.l1d = (struct sim_cache_config){2 * 2 * LINE, 2, 0};
    config.l2 = (struct sim_cache_config){2 * 3 * LINE, 3, L2_LATENCY};
    config.l3 = (struct sim_cache_config){512 * 2 * LINE, 2, L3_LATENCY};
    config.dtlb = (struct sim_tlb_config){4, 2};
    config.itlb = (struct sim_tlb_config){2, 2};
    config.stlb = (struct sim_tlb_config){8, 2};
    config.large_page = 4 * PAGE;
    config.ranks = 2;
    config.banks = 4;
    config.dram_row = 2 * LINE;
    config.dtlb_large = (struct sim_tlb_config){2, 2};
    return config;
}

static inline void simulate(const struct node *node, const struct access *access) {
    struct sim_core *core = node_core(node, access->core);
    switch (access->kind) {
    case LOAD:
        sim_load(core, access->address, access->size);
        break;
    case LOAD_LOCKED:
        sim_load_locked(core, access->address, access->size);
        break;
    case STORE:
        sim_store(core, access->address, access->size);
        break;
    case NT_FULL:
    case NT_PARTIAL:
        sim_store_nt(core, access->address, access->size);
        break;
    case FLUSH:
        sim_flush_line(core, access->address);
        break;
    case FETCH:
        sim_fetch(core, access->address, access->size);
        break;
    case FENCE:
        sim_fence(core);
        break;
    case MOVE:
        sim_set_home(node->sim, access->address, access->memory);
        break;
    case UNMAP:
        sim_unmap(node->sim, access->address / PAGE * PAGE, PAGE);
        break;
    case KINDS:
        break;
    }
}

/* The number of cases that were met although the node cannot have them, or met fewer than `least` times. */
static inline unsigned wrong_cases(const struct reference *reference, uint64_t least) {
    unsigned wrong = 0;
    for (int rule = 0; rule < REF_RULES; rule++) {
        for (int which = 0; which < REF_CASES; which++) {
            uint64_t reached = reference->reached[rule][which];
            int applies = ref_case_applies(&reference->config, (enum ref_rule)rule, which);
            if (applies ? reached >= least : reached == 0)
                continue;
            print_error("%s, case %d: met %" PRIu64 " times\n", REF_RULE_TEXTS[rule].name, which, reached);
            wrong++;
        }
    }
    return wrong;
}

/* Runs the trace and returns the first difference. */
static inline struct difference run_trace(const struct node *node, struct reference *reference, struct trace *trace,
                                          uint64_t accesses, struct access *access, uint64_t *number) {
    struct difference difference = {"", 0, 0};
    for (*number = 0; *number < accesses && !difference.total[0]; ++*number) {
        *access = trace_next(trace);
        simulate(node, access);
        refer(reference, access);
        difference = compare_counts(&node->config, node->counts, reference->counts);
    }
    return difference;
}

/* Checks that both agree after each access of a trace, and that the trace meets every case that the node can have. */
static inline void random_trace(const struct sim_config *config) {
    uint64_t seed = environment("SIM_RANDOM_SEED", RANDOM_SEED), number;
    uint64_t accesses = environment("SIM_RANDOM_ACCESSES", test_cases(RANDOM_FEW, RANDOM_ACCESSES));
    struct node node = node_make(*config);
    struct reference *reference = reference_make(config);
    struct trace trace = trace_make(config, seed);
    sim_know_large_pages(node.sim, random_is_large, NULL);
    reference->is_large = random_is_large;
    struct access access;
    struct difference difference = run_trace(&node, reference, &trace, accesses, &access, &number);
    int others =
        memcmp(node.counts, reference->counts, sizeof *node.counts); /* includes totals that the node does not have */
    uint64_t least = seed != RANDOM_SEED || accesses < RANDOM_FEW ? 0 : accesses < RANDOM_ACCESSES ? 1 : RARELY;
    unsigned wrong = difference.total[0] ? 0 : wrong_cases(reference, least);
    reference_free(reference);
    node_free(&node);
    if (difference.total[0])
        fail_msg("seed %" PRIu64 ", access %" PRIu64 ": core %u, %s of %u bytes at %#" PRIx64
                 ": %s: the simulator has %" PRIu64 ", the reference %" PRIu64,
                 seed, number, access.core, KIND_NAMES[access.kind], access.size, access.address, difference.total,
                 difference.first, difference.second);
    assert_int_equal(others, 0);
    assert_int_equal(wrong, 0);
}

#endif
