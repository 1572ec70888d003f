/* store_forwarding.c - pairs of numbers that are written and immediately read: written in halves and read as a whole,
 * both as a whole, or written as a whole and read in halves.
 *
 * A load gets its bytes from a store in flight only if that one store has all of them. Each pair is calculated from
 * the one before it, through memory, like a structure that is filled field by field and then copied.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { HALVES, WHOLE, PARTS };
enum { PAIRS, TIMES }; /* parameters */
enum { PAIR = 2 };     /* numbers */

static const char *const codes[] = {"halves", "whole", "parts", NULL};

struct pairs {
    double *data;
    size_t bytes;
};

static int setup(struct program_point *point, struct error *error) {
    struct pairs *pairs = calloc(1, sizeof *pairs);
    if (pairs == NULL)
        return error_set(error, "no memory for pairs; free some");
    pairs->bytes = point->parameter[PAIRS] * sizeof(__m128d);
    pairs->data = program_allocate(pairs->bytes, error);
    if (pairs->data == NULL) {
        free(pairs);
        return -1;
    }
    point->data = pairs;
    return 0;
}

/* Forces real loads and stores: no value is kept in a register, and no two accesses are merged. */
static inline void through_memory(void) {
    __asm__ volatile("" ::: "memory");
}

/* Each function has one loop, one pair a pass. Its instructions are counted (validate/kernel/function.h). */
__attribute__((noinline)) static void write_halves(double *data, size_t pairs) {
    const __m128d one = _mm_set1_pd(1);
    __m128d value = one;
    do {
        _mm_storel_pd(data, value);
        through_memory();
        _mm_storeh_pd(data + 1, value);
        through_memory();
        value = _mm_add_pd(one, _mm_load_pd(data));
        data += PAIR;
    } while (--pairs != 0);
}

__attribute__((noinline)) static void write_whole(double *data, size_t pairs) {
    const __m128d one = _mm_set1_pd(1);
    __m128d value = one;
    do {
        _mm_store_pd(data, value);
        through_memory();
        value = _mm_add_pd(one, _mm_load_pd(data));
        data += PAIR;
    } while (--pairs != 0);
}

__attribute__((noinline)) static void read_parts(double *data, size_t pairs) {
    const __m128d one = _mm_set1_pd(1);
    __m128d value = one;
    do {
        _mm_store_pd(data, value);
        through_memory();
        value = _mm_load_sd(data);
        through_memory();
        value = _mm_add_pd(one, _mm_loadh_pd(value, data + 1));
        data += PAIR;
    } while (--pairs != 0);
}

static void go(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    static void (*const code[])(double *,
                                size_t) = {[HALVES] = write_halves, [WHOLE] = write_whole, [PARTS] = read_parts};
    const struct pairs *pairs = point->data;
    for (size_t time = 0; time < times; time++)
        code[point->code](pairs->data, point->parameter[PAIRS]);
}

static void release(struct program_point *point) {
    struct pairs *pairs = point->data;
    program_free(pairs->data, pairs->bytes);
    free(pairs);
}

const struct pattern_program pattern_program = {
    .usage = "PAIRS of numbers, each written and read again, TIMES times: REGION halves|whole|parts PAIRS TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = 1,
    .setup = setup,
    .repeat = go,
    .release = release,
};
