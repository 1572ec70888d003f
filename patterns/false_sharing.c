/* false_sharing.c - two threads count for themselves: their counters in one cache line, or in a line each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { TOGETHER, APART };
enum { TIMES }; /* parameters */
enum { WORDS_PER_LINE = PROGRAM_LINE_BYTES / sizeof(long) };

static const char *const codes[] = {"together", "apart", NULL};

struct counters {
    alignas(PROGRAM_LINE_BYTES) volatile long word[2 * WORDS_PER_LINE];
    alignas(PROGRAM_LINE_BYTES) atomic_int arrived; /* both are inside of their regions before either counts */
};

static int setup(struct program_point *point, struct error *error) {
    struct counters *counters = aligned_alloc(PROGRAM_LINE_BYTES, sizeof *counters);
    if (counters == NULL)
        return error_set(error, "no memory for counters; free some");
    *counters = (struct counters){.arrived = 0};
    point->data = counters;
    return 0;
}

static void work(const struct program_point *point, size_t thread) {
    struct counters *counters = point->data;
    volatile long *mine = &counters->word[point->code == APART ? thread * WORDS_PER_LINE : thread];
    atomic_fetch_add(&counters->arrived, 1);
    while (atomic_load(&counters->arrived) < 2)
        ;
    for (size_t i = 0; i < point->parameter[TIMES]; i++)
        ++*mine;
}

static void release(struct program_point *point) {
    free(point->data);
}

const struct pattern_program pattern_program = {
    .usage = "Two threads that count for themselves: REGION together|apart TIMES\n",
    .codes = codes,
    .parameters = 1,
    .threads = 2,
    .setup = setup,
    .work = work,
    .release = release,
};
