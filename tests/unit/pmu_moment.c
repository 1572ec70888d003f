/* pmu_moment.c - counters of other processes: all counters of one reading show the same moment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <unistd.h>

#include "pmu_fixture.h"
#include "vnode/counts_parts.h"
#include "vnode/pmu/moment.h"

enum { SELECT0 = 0x186, PMC0 = 0xc1, FIXED0 = 0x309, FIXED_CTRL = 0x38d, GLOBAL_CTRL = 0x38f };
enum { LOADS = 0x81d0, USER = 1 << 16, ENABLE = 1 << 22, FIXED0_USER = 2, OTHER_SLOT = 9, CORES = 2 };
#define BOTH (UINT64_C(1) << 32 | 1)

static struct moment moment;

static struct sim_counts *others(struct fixture *f) {
    return &f->node.slot[OTHER_SLOT].live;
}

/* Counts a load and an instruction per step, on both cores. */
static void step(struct fixture *f, uint64_t steps) {
    for (int core = 0; core < CORES; core++) {
        others(f)->core[core].total[CORE_LOADS] += steps;
        others(f)->core[core].total[CORE_INSTRUCTIONS] += steps;
    }
}

static void start(struct fixture *f) {
    f->pmu.view.moment = memset(&moment, 0, sizeof moment);
    f->node.owner[OTHER_SLOT].pid = getpid();
    for (uint32_t core = 0; core < CORES; core++) {
        wr(f, 0, core, SELECT0, LOADS | USER | ENABLE);
        wr(f, 0, core, FIXED_CTRL, FIXED0_USER);
    }
    step(f, 1000);
    for (uint32_t core = 0; core < CORES; core++) {
        wr(f, 0, core, GLOBAL_CTRL, BOTH);
        step(f, 1); /* in the moment in which the first counter started */
    }
}

PMU_TEST(counters_read_one_by_one_agree) {
    start(f);
    for (uint64_t round = 1; round < 4; round++) {
        step(f, 98);
        for (uint32_t core = 0; core < CORES; core++)
            for (uint32_t reg = PMC0; reg != 0; reg = reg == PMC0 ? FIXED0 : 0) {
                uint64_t value = rd(f, 0, core, reg);
                step(f, 1);
                assert_int_equal(value, 100 * round + 2 * (round - 1));
            }
    }
}

PMU_TEST(counters_frozen_while_read_agree) {
    start(f);
    for (uint64_t round = 1; round < 4; round++) {
        step(f, 98);
        for (uint32_t core = 0; core < CORES; core++) {
            wr(f, 0, core, GLOBAL_CTRL, 0);
            step(f, 1);
            uint64_t loads = rd(f, 0, core, PMC0);
            step(f, 1);
            assert_int_equal(rd(f, 0, core, FIXED0), loads);
            assert_int_equal(loads, 100 * round + 4 * (round - 1));
            wr(f, 0, core, GLOBAL_CTRL, BOTH);
            step(f, 1);
        }
    }
}

PMU_TEST(counts_of_the_client_itself_are_current) {
    start(f);
    done(f)->core[0].total[CORE_LOADS] = 5;
    uint64_t before = rd(f, 0, 0, PMC0);
    done(f)->core[0].total[CORE_INSTRUCTIONS] = 7;
    assert_int_equal(rd(f, 0, 0, FIXED0) - before, 7 - 5);
}

PMU_TEST(an_ended_process_stays_counted) {
    start(f);
    uint64_t before = rd(f, 0, 0, PMC0);
    f->node.ended = *others(f);
    f->node.owner[OTHER_SLOT].pid = 0;
    f->node.folds++;
    assert_int_equal(rd(f, 0, 0, PMC0), before);
    f->node.measures = 1; /* other processes no longer count */
    assert_int_equal(rd(f, 0, 0, PMC0), before);
}

/* A running process; its totals are consistent only while it pauses. */
static void *run(void *fixture) {
    struct fixture *f = fixture;
    struct node_owner *owner = &f->node.owner[OTHER_SLOT];
    others(f)->core[0].total[CORE_LOADS] += 50;
    while (!__atomic_load_n(&owner->asked, __ATOMIC_ACQUIRE))
        usleep(100);
    others(f)->core[0].total[CORE_INSTRUCTIONS] += 50;
    __atomic_store_n(&owner->steps, 2, __ATOMIC_RELEASE);
    while (__atomic_load_n(&owner->asked, __ATOMIC_ACQUIRE))
        usleep(100);
    return NULL;
}

/* Also of a node whose last socket has no memory, and of one whose sockets each have a second one. */
TEST(parts_lie_in_the_counts) {
    const struct sim_config nodes[] = {
        {.sockets = 2, .cores_per_socket = 1, .numa_per_socket = 1, .channels = 4},
        {.sockets = 2, .cores_per_socket = 1, .numa_per_socket = 1, .channels = 4, .last_lacks = 4},
        {.sockets = 4, .cores_per_socket = 4, .numa_per_socket = 4, .channels = 2, .hbm_channels = 8},
    };
    const size_t hbm_totals[] = {0, 0, SIM_NUMA_MAX * (sizeof(struct sim_hbm_counts) / sizeof(uint64_t))};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        struct counts_part part[COUNTS_PARTS];
        counts_find_parts(&nodes[i], part);
        for (int k = 0; k < COUNTS_PARTS; k++)
            assert_true(part[k].totals <= (sizeof(struct sim_counts) - part[k].start) / sizeof(uint64_t));
        assert_int_equal(part[COUNTS_PARTS - 1].totals, hbm_totals[i]);
    }
}

PMU_TEST(a_running_process_is_read_when_it_rests) {
    pthread_t process;
    start(f);
    uint64_t before = rd(f, 0, 0, PMC0);
    f->node.owner[OTHER_SLOT].steps = 1;
    assert_int_equal(pthread_create(&process, NULL, run, f), 0);
    assert_int_equal(rd(f, 0, 0, PMC0) - before, 50);
    assert_int_equal(rd(f, 0, 0, FIXED0) - before, 50);
    assert_int_equal(pthread_join(process, NULL), 0);
}
