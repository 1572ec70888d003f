/* pmu_table.c - the PMU's description, its formulas, and the totals in them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/wait.h>
#include <unistd.h>

#include "pmu_fixture.h"
#include "vnode/pmu/formula.h"

PMU_TEST(every_core_total_has_a_name) {
    for (int i = 0; i < CORE_COUNTS; i++) {
        struct total_name total;
        struct place place = {.core = 2};
        assert_non_null(core_count_name(i));
        assert_int_equal(total_find(core_count_name(i), &total), 0);
        assert_int_equal(total_offset(&total, &place), offsetof(struct sim_counts, core[2].total) + 8 * (size_t)i);
    }
    assert_null(core_count_name(CORE_COUNTS));
}

PMU_TEST(formulas) {
    struct place place = {.core = 0};
    struct formula formula;
    char error[256];
    done(f)->core[0].total[CORE_LOADS] = 10;
    done(f)->core[0].total[CORE_STORES] = 3;
    assert_null(formula_parse("CORE_LOADS - CORE_STORES + 2 * CORE_STORES", &formula, error, sizeof error));
    assert_int_equal(formula_value(&formula, &f->pmu.view, SCOPE_CORE, &place, NULL), 13);
    assert_null(formula_parse("0", &formula, error, sizeof error));
    assert_int_equal(formula_value(&formula, &f->pmu.view, SCOPE_CORE, &place, NULL), 0);
    assert_non_null(formula_parse("CORE_NOTHING", &formula, error, sizeof error));
    assert_non_null(strstr(error, "CORE_NOTHING"));
    assert_non_null(formula_parse("CORE_LOADS CORE_STORES", &formula, error, sizeof error));
    assert_non_null(formula_parse("CORE_LOADS + CAS_READ", &formula, error, sizeof error));
    assert_non_null(formula_parse("3", &formula, error, sizeof error));
    assert_non_null(formula_parse("", &formula, error, sizeof error));
}

/* The node's totals: ended processes, the client's published totals, the current totals of all others. */
PMU_TEST(totals_of_all_processes) {
    uint32_t offset = (uint32_t)offsetof(struct sim_counts, core[1].total[CORE_STORES]);
    f->node.ended.core[1].total[CORE_STORES] = 1;
    f->node.slot[3].published.core[1].total[CORE_STORES] = 20;
    f->node.slot[3].live.core[1].total[CORE_STORES] = 25;
    f->node.owner[9].pid = TEST_OTHER;
    f->node.slot[9].published.core[1].total[CORE_STORES] = 300;
    f->node.slot[9].live.core[1].total[CORE_STORES] = 350;
    f->node.slot[10].live.core[1].total[CORE_STORES] = 7777; /* a free slot */
    assert_int_equal(node_total(&f->pmu.view, offset), 1 + 20 + 350);
}

/* Other processes count until LIKWID has started a program. */
PMU_TEST(totals_of_a_measured_program) {
    uint32_t offset = (uint32_t)offsetof(struct sim_counts, core[1].total[CORE_STORES]);
    f->node.ended.core[1].total[CORE_STORES] = 1;
    f->node.ended_beside.core[1].total[CORE_STORES] = 20;
    f->node.owner[9].pid = TEST_OTHER;
    f->node.owner[9].beside = 1;
    f->node.slot[9].live.core[1].total[CORE_STORES] = 300;
    assert_int_equal(node_total(&f->pmu.view, offset), 1 + 20 + 300);
    f->node.measures = 1;
    assert_int_equal(node_total(&f->pmu.view, offset), 1);
    f->node.owner[9].beside = 0;
    assert_int_equal(node_total(&f->pmu.view, offset), 1 + 300);
}

PMU_TEST(the_lock_of_a_dead_process_is_taken_over) {
    pid_t dead = fork();
    if (dead == 0)
        _exit(0);
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    f->node.lock = (uint32_t)dead;
    node_lock(&f->node);
    assert_int_equal(f->node.lock, getpid());
    node_unlock(&f->node);
    assert_int_equal(f->node.lock, 0);
}

PMU_TEST(no_event_is_described_twice) {
    assert_true(f->table.events > 100);
    for (uint32_t i = 0; i < f->table.events; i++) {
        const struct table_event *event = &f->table.event[i];
        assert_ptr_equal(table_event(&f->table, event->unit, event->code, event->umask), event);
    }
}
