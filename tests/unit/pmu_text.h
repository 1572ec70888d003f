/* pmu_text.h - a PMU for tests, made from a table in text form, on any node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_UNIT_PMU_TEXT_H
#define TESTS_UNIT_PMU_TEXT_H

#include "pmu_fixture.h"

/* Reads a table from text. Returns NULL, or the error without its file name. */
static inline const char *text_load(const char *text, struct pmu_table *out) {
    static char error[512];
    char path[] = "/tmp/pmu-text-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const char *wrong = table_load(path, out, error, sizeof error);
    remove(path);
    if (wrong)
        assert_memory_equal(wrong, path, strlen(path));
    return wrong ? wrong + strlen(path) : NULL;
}

/* A PMU with the table `text` on a node with the hardware `config`; fails the test if the table is wrong. */
static inline struct fixture *text_unit(const char *text, const struct sim_config *config) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    const char *wrong = text_load(text, &f->table);
    if (wrong)
        fail_msg("%s", wrong);
    f->node.config = *config;
    f->node.likwid_version = 50202;
    f->node.owner[3].pid = TEST_CLIENT;
    f->pmu = (struct pmu){.table = &f->table,
                          .view = {.node = &f->node, .client = TEST_CLIENT},
                          .state = &f->state,
                          .not_counted = fixture_note,
                          .context = f};
    return f;
}

#endif
