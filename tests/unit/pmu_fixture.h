/* pmu_fixture.h - a PMU for tests, on a node of two sockets with two cores each and one process (TEST_CLIENT).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_UNIT_PMU_FIXTURE_H
#define TESTS_UNIT_PMU_FIXTURE_H

#include "test.h"

#include "vnode/pmu/pmu.h"
#include "vnode/pmu/table_file.h"

enum { TEST_CLIENT = 4711, TEST_OTHER = 4712 };

struct fixture {
    struct pmu pmu;
    struct pmu_table table;
    struct pmu_state state;
    struct node_file node;
    char notes[1024]; /* "COUNTER reason;" of every report */
};

static inline void fixture_note(void *context, const char *counter, uint64_t select, const char *reason) {
    struct fixture *f = context;
    size_t used = strlen(f->notes);
    (void)select;
    snprintf(f->notes + used, sizeof f->notes - used, "%s %s;", counter, reason);
}

/* `f` is zeroed. It must not be copied: the node's file is large, and nearly all of it is never touched. */
static inline void fixture_begin(struct fixture *f) {
    char error[512];
    assert_null(table_load(PMU_EVENTS, &f->table, error, sizeof error));
    f->node.config = (struct sim_config){.sockets = 2,
                                         .cores_per_socket = 2,
                                         .domains_per_socket = 1,
                                         .numa_per_socket = 1,
                                         .slices = 2,
                                         .channels = 8,
                                         .agents = 2,
                                         .links = 1,
                                         .clock_hz = UINT64_C(2300000000),
                                         .uncore_hz = UINT64_C(2300000000)};
    f->node.likwid_version = 50202;
    f->node.owner[3].pid = TEST_CLIENT;
    f->pmu = (struct pmu){.table = &f->table,
                          .view = {.node = &f->node, .client = TEST_CLIENT},
                          .state = &f->state,
                          .not_counted = fixture_note,
                          .context = f};
}

static inline int fixture_setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    fixture_begin(f);
    *state = f;
    return 0;
}

static inline int fixture_teardown(void **state) {
    free(*state);
    return 0;
}

#define PMU_TEST(name) TEST_WITH(name, struct fixture *f, fixture_setup, fixture_teardown)

/* The counts of the client's program, read by its daemon. */
static inline struct sim_counts *done(struct fixture *f) {
    return &f->node.slot[3].published;
}

static inline uint64_t rd(struct fixture *f, int device, uint32_t cpu, uint32_t reg) {
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, device, cpu, reg, &value), PMU_OK);
    return value;
}

static inline void wr(struct fixture *f, int device, uint32_t cpu, uint32_t reg, uint64_t value) {
    assert_int_equal(pmu_write(&f->pmu, device, cpu, reg, value), PMU_OK);
}

#endif
