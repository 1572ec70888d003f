/* synchronisation.c - two threads each relax their own block, step by step: they meet after each step, or not at all.
 *
 * A meeting spins: each thread publishes its step and polls until the other one has reached it. The codes only differ
 * in this waiting; steps, blocks and their arithmetic are the same, and blocks stay in the cores' caches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { MEETING, APART };
enum { ELEMENTS, STEPS }; /* parameters */
enum { LANES = 4, THREADS = 2 };

static const char *const codes[] = {"meeting", "apart", NULL};

struct work {
    struct own {
        alignas(PROGRAM_LINE_BYTES) atomic_size_t done; /* steps, the one of the warm-up included */
        alignas(PROGRAM_LINE_BYTES) double *block;
        size_t elements;
    } of[THREADS];
};

static size_t bytes_of(const struct program_point *point) {
    return point->parameter[ELEMENTS] * sizeof(double);
}

static void release(struct program_point *point) {
    struct work *work = point->data;
    for (size_t thread = 0; thread < THREADS; thread++)
        program_free(work->of[thread].block, bytes_of(point));
    free(work);
}

static int setup(struct program_point *point, struct error *error) {
    if (point->parameter[ELEMENTS] % LANES != 0)
        return error_set(error, "%s: %zu elements; give a multiple of %d", point->region, point->parameter[ELEMENTS],
                         LANES);
    struct work *work = aligned_alloc(PROGRAM_LINE_BYTES, sizeof *work);
    if (work == NULL)
        return error_set(error, "no memory for the work of two threads; free some");
    *work = (struct work){0};
    point->data = work;
    for (size_t thread = 0; thread < THREADS; thread++) {
        work->of[thread].elements = point->parameter[ELEMENTS];
        work->of[thread].block = program_allocate(bytes_of(point), error);
        if (work->of[thread].block == NULL) {
            release(point);
            return -1;
        }
    }
    return 0;
}

/* A step of a block; its values approach 1. One loop, one vector a pass. The instructions are counted in
 * the machine code (validate/kernel/function.h). */
__attribute__((target("avx"), noinline)) static void relax(double *block, size_t elements) {
    const double *end = block + elements;
    const __m256d half = _mm256_set1_pd(0.5);
    do {
        __m256d moved = _mm256_mul_pd(half, _mm256_load_pd(block));
        _mm256_store_pd(block, _mm256_add_pd(half, moved));
        block += LANES;
    } while (block != end);
}

/* Returns when both threads have done `steps` steps. Its instructions count, too; a pass of its loop polls once. */
__attribute__((noinline)) static void meet(atomic_size_t *mine, atomic_size_t *other, size_t steps) {
    atomic_store_explicit(mine, steps, memory_order_release);
    while (atomic_load_explicit(other, memory_order_acquire) < steps)
        ;
}

/* The loops over steps of both codes. A pass is a step, counted without the functions that it calls. */
__attribute__((noinline)) static void go_meeting(struct own *mine, struct own *other, size_t from, size_t to) {
    do {
        relax(mine->block, mine->elements);
        meet(&mine->done, &other->done, ++from);
    } while (from != to);
}

__attribute__((noinline)) static void go_apart(struct own *mine, size_t from, size_t to) {
    do {
        relax(mine->block, mine->elements);
    } while (++from != to);
}

static void go(const struct program_point *point, size_t thread, size_t from, size_t to) {
    struct work *work = point->data;
    if (point->code == MEETING)
        go_meeting(&work->of[thread], &work->of[1 - thread], from, to);
    else
        go_apart(&work->of[thread], from, to);
}

static void warm_up(const struct program_point *point, size_t thread) {
    go(point, thread, 0, 1);
}

static void work(const struct program_point *point, size_t thread) {
    go(point, thread, 1, point->parameter[STEPS] + 1);
}

const struct pattern_program pattern_program = {
    .usage = "Steps of two threads, each on a block of ELEMENTS of its own: REGION meeting|apart ELEMENTS STEPS\n",
    .codes = codes,
    .parameters = 2,
    .threads = THREADS,
    .setup = setup,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
