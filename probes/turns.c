/* turns.c - two threads take turns walking over memory of their own. A cache that they share holds the lines of both.
 *
 * Not a probe: `assay configuration` runs it with the cache sizes that it found.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { PLACES, STRIDE, TIMES, THREADS = 2 };

static const char *const codes[] = {"turns", NULL};

struct course {
    pthread_barrier_t turn;
    char *memory[THREADS];
    size_t bytes;
};

static void release(struct program_point *point) {
    struct course *course = point->data;
    for (size_t i = 0; i < THREADS; i++)
        program_free(course->memory[i], course->bytes);
    pthread_barrier_destroy(&course->turn);
    free(course);
}

static int setup(struct program_point *point, struct error *error) {
    struct course *course = calloc(1, sizeof *course);
    if (course == NULL || pthread_barrier_init(&course->turn, NULL, THREADS) != 0) {
        free(course);
        return error_set(error, "no memory for turns; free some");
    }
    point->data = course;
    course->bytes = point->parameter[PLACES] * point->parameter[STRIDE];
    for (size_t i = 0; i < THREADS; i++) {
        course->memory[i] = program_allocate(course->bytes, error);
        if (course->memory[i] == NULL) {
            release(point);
            return -1;
        }
    }
    return 0;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct course *course = point->data;
    for (size_t at = 0; at < course->bytes; at += point->parameter[STRIDE])
        course->memory[thread][at] = 0;
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    struct course *course = point->data;
    const volatile char *memory = course->memory[thread];
    for (size_t turn = 0; turn < times * THREADS; turn++) {
        pthread_barrier_wait(&course->turn);
        if (turn % THREADS != thread)
            continue;
        for (size_t at = 0; at < course->bytes; at += point->parameter[STRIDE])
            (void)memory[at];
    }
}

const struct pattern_program probe_turns = {
    .usage = "Two threads take turns, each over its own PLACES places that are STRIDE bytes apart, TIMES times:\n"
             "REGION turns PLACES STRIDE TIMES\n",
    .codes = codes,
    .parameters = 3,
    .lasting = 2,
    .threads = THREADS,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
