/* walk.c - the walks of walk.S over memory of small pages, of large ones, and over code.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "patterns/program/program.h"

enum { STEPS, STRIDE, COLUMNS, TIMES }; /* parameters */
enum { PAGE_BYTES = 4096, LARGE_BYTES = 2 << 20 };

typedef void walk(char *from, size_t stride, intptr_t to_next, const char *end, size_t accesses, size_t column);
walk walk_loads, walk_stores, walk_updates, walk_locked, walk_splits, walk_split_stores, walk_calls, walk_nt_stores;
void walk_called(void);

enum { RETURN = 0xc3 }; /* the instruction */

static const char *const codes[] = {
    "walk_loads",        "walk_stores",  "walk_updates",     "walk_locked",       "walk_splits",
    "walk_split_stores", "walk_calls",   "walk_large_loads", "walk_large_stores", "round_loads",
    "round_calls",       "round_stores", "walk_nt_stores",   "walk_refetches",    NULL};
static const struct {
    walk *walk;
    size_t column;               /* bytes from column to column; 0: all times are one continuous walk */
    int is_of_code, is_of_large; /* walks over code; over large pages */
    walk *then;                  /* a second walk over the same lines in each time, or NULL */
} kinds[] = {
    {walk_loads, 64, 0, 0, NULL},     {walk_stores, 64, 0, 0, NULL},         {walk_updates, 64, 0, 0, NULL},
    {walk_locked, 64, 0, 0, NULL},    {walk_splits, 128, 0, 0, NULL},        {walk_split_stores, 128, 0, 0, NULL},
    {walk_calls, 64, 1, 0, NULL},     {walk_loads, 64, 0, 1, NULL},          {walk_stores, 64, 0, 1, NULL},
    {walk_loads, 0, 0, 0, NULL},      {walk_calls, 0, 1, 0, NULL},           {walk_stores, 0, 0, 0, NULL},
    {walk_nt_stores, 64, 0, 0, NULL}, {walk_nt_stores, 64, 0, 0, walk_loads}};

struct ground {
    char *memory, *begin;
    size_t bytes;
};

/* Size of the memory that a walk uses, in bytes. */
static size_t reach(const struct program_point *point) {
    return point->parameter[STEPS] * point->parameter[STRIDE] + point->parameter[COLUMNS] * kinds[point->code].column;
}

static int advise(const struct program_point *point, const struct ground *ground, struct error *error) {
    int advice = kinds[point->code].is_of_large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    int status = madvise(ground->begin, ground->bytes - (size_t)(ground->begin - ground->memory), advice);
    if (status != 0 && advice == MADV_HUGEPAGE)
        return error_set(error, "no large pages; take a kernel with transparent huge pages");
    return 0; /* kernels without large pages have small ones only */
}

static int setup(struct program_point *point, struct error *error) {
    struct ground *ground = calloc(1, sizeof *ground);
    if (ground == NULL)
        return error_set(error, "no memory for a walk; free some");
    size_t page = kinds[point->code].is_of_large ? LARGE_BYTES : PAGE_BYTES;
    ground->bytes = (reach(point) + page - 1) / page * page + page;
    ground->memory = program_allocate(ground->bytes, error);
    ground->begin = (char *)(((uintptr_t)ground->memory + page - 1) / page * page);
    if (ground->memory == NULL || advise(point, ground, error) != 0) {
        program_free(ground->memory, ground->bytes);
        free(ground);
        return -1;
    }
    point->data = ground;
    return 0;
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    const struct ground *ground = point->data;
    size_t steps = point->parameter[STEPS], stride = point->parameter[STRIDE], columns = point->parameter[COLUMNS];
    size_t column = kinds[point->code].column, bytes = steps * stride;
    (void)thread;
    if (column == 0) {
        columns *= times;
        times = 1;
    }
    walk *const walks[] = {kinds[point->code].walk, kinds[point->code].then};
    size_t count = walks[1] == NULL ? 1 : 2;
    for (size_t i = 0; i < times; i++) { /* no division: events count them */
        for (size_t k = 0; k < count; k++)
            walks[k](ground->begin, stride, (intptr_t)column - (intptr_t)bytes, ground->begin + bytes, steps * columns,
                     column);
    }
}

/* Gives all walked-over memory pages, and writes returns or data to it. Then flushes it: otherwise lines would stay
 * modified and be moved as such between L2 and a victim level, however often they are read. Then walks over it once, so
 * that the first counted walk finds the caches in the same state as later walks. */
static void first_touch(const struct program_point *point, size_t thread) {
    const struct ground *ground = point->data;
    size_t column = kinds[point->code].column;
    int is_of_code = kinds[point->code].is_of_code;
    for (size_t step = 0; step < point->parameter[STEPS]; step++) {
        for (size_t i = 0; i < point->parameter[COLUMNS]; i++) {
            char *place = ground->begin + step * point->parameter[STRIDE] + i * column;
            *place = is_of_code ? (char)RETURN : 0;
            _mm_clflush(place);
        }
    }
    _mm_mfence();
    if (is_of_code)
        mprotect(ground->memory, ground->bytes, PROT_READ | PROT_EXEC);
    repeat(point, thread, 1);
}

static void release(struct program_point *point) {
    struct ground *ground = point->data;
    program_free(ground->memory, ground->bytes);
    free(ground);
}

const struct pattern_program probe_walk = {
    .usage =
        "Accesses to STEPS places that are STRIDE bytes apart, in COLUMNS columns one after the other, TIMES times:\n"
        "REGION walk_loads|walk_stores|walk_updates|walk_locked|walk_splits|walk_split_stores|walk_calls|\n"
        "  walk_large_loads|walk_large_stores|round_loads|round_calls|round_stores|walk_nt_stores|walk_refetches\n"
        "  STEPS STRIDE COLUMNS TIMES\n"
        "round_: the same places in each column, and nothing else between one time and the next.\n",
    .codes = codes,
    .parameters = 4,
    .lasting = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
