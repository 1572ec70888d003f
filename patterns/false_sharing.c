/* false_sharing.c - two threads each increment their own counter: both counters are in one cache line, or each has a
 * pair of lines: an adjacent-line prefetcher would take the other thread's line along with its own.
 *
 * In codes `together` and `apart` the threads do not wait for each other. In code `in_turn` the counters share a line,
 * and each thread waits for the other's step before its own. So each step takes the line from the other core exactly
 * once, whatever the timing; polls that find nothing new hit the thread's own cache.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { TOGETHER, APART, IN_TURN };
enum { TIMES }; /* parameters */
enum { WORDS_PER_PAIR = PROGRAM_PAIR_BYTES / sizeof(long) };

static const char *const codes[] = {"together", "apart", "in_turn", NULL};

struct counters {
    alignas(PROGRAM_PAIR_BYTES) volatile long word[2 * WORDS_PER_PAIR];
    alignas(PROGRAM_PAIR_BYTES) atomic_int arrived; /* both threads enter their regions before either counts */
    alignas(PROGRAM_PAIR_BYTES) atomic_size_t turn[2];
};

static int setup(struct program_point *point, struct error *error) {
    struct counters *counters = aligned_alloc(PROGRAM_PAIR_BYTES, sizeof *counters);
    if (counters == NULL)
        return error_set(error, "no memory for counters; free some");
    *counters = (struct counters){.arrived = 0};
    point->data = counters;
    return 0;
}

static void wait_for(atomic_size_t *other, size_t steps) {
    while (atomic_load_explicit(other, memory_order_acquire) < steps)
        sched_yield();
}

/* `times` steps from number `first` on: the first thread steps, then waits; the second waits, then steps. */
static void step_in_turn(struct counters *counters, size_t thread, size_t first, size_t times) {
    atomic_size_t *mine = &counters->turn[thread], *other = &counters->turn[1 - thread];
    for (size_t step = first; step < first + times; step++) {
        if (thread == 1)
            wait_for(other, step);
        atomic_store_explicit(mine, step, memory_order_release);
        if (thread == 0)
            wait_for(other, step);
    }
}

/* A step before the region moves the other lines that the threads share. */
static void warm_up(const struct program_point *point, size_t thread) {
    if (point->code == IN_TURN)
        step_in_turn(point->data, thread, 1, 1);
}

static void work(const struct program_point *point, size_t thread) {
    struct counters *counters = point->data;
    if (point->code == IN_TURN) {
        step_in_turn(counters, thread, 2, point->parameter[TIMES]);
        return;
    }
    volatile long *mine = &counters->word[point->code == APART ? thread * WORDS_PER_PAIR : thread];
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
    .usage = "Two threads with a counter each: REGION together|apart|in_turn TIMES\n",
    .codes = codes,
    .parameters = 1,
    .threads = 2,
    .setup = setup,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
