/* atomic_updates.c - two threads count keys: in one histogram with atomic updates, or in a histogram each.
 *
 * Both threads have random keys for the same BINS. In one histogram both may update a bin at the same time, so each
 * update is locked; how often they really meet depends on timing. Two histograms would be added up at the end.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { SHARED, OWN };
enum { KEYS, BINS }; /* parameters */
enum { THREADS = 2 };

static const char *const codes[] = {"shared", "own", NULL};

struct histograms {
    struct of_thread {
        uint32_t *keys;
        size_t *bins;
    } of[THREADS];
    size_t key_bytes, bin_bytes;
};

static void release(struct program_point *point) {
    struct histograms *histograms = point->data;
    for (size_t thread = 0; thread < THREADS; thread++) {
        program_free(histograms->of[thread].keys, histograms->key_bytes);
        program_free(histograms->of[thread].bins, histograms->bin_bytes);
    }
    free(histograms);
}

static int setup(struct program_point *point, struct error *error) {
    struct histograms *histograms = calloc(1, sizeof *histograms);
    if (histograms == NULL)
        return error_set(error, "no memory for histograms; free some");
    histograms->key_bytes = point->parameter[KEYS] * sizeof(uint32_t);
    histograms->bin_bytes = point->parameter[BINS] * sizeof(size_t);
    point->data = histograms;
    for (size_t thread = 0; thread < THREADS; thread++) {
        struct of_thread *mine = &histograms->of[thread];
        mine->keys = program_allocate(histograms->key_bytes, error);
        mine->bins = mine->keys == NULL ? NULL : program_allocate(histograms->bin_bytes, error);
        if (mine->bins == NULL) {
            release(point);
            return -1;
        }
    }
    return 0;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct histograms *histograms = point->data;
    uint64_t state = thread;
    for (size_t key = 0; key < point->parameter[KEYS]; key++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        histograms->of[thread].keys[key] = (uint32_t)((state >> 33) % point->parameter[BINS]);
    }
}

/* Each function has one loop, one pass per key. The instructions are counted in the machine code
 * (validate/kernel/function.h). */
__attribute__((noinline)) static void count_shared(_Atomic size_t *bins, const uint32_t *keys, size_t count) {
    do {
        atomic_fetch_add_explicit(&bins[*keys++], 1, memory_order_relaxed);
        __asm__("" : "+r"(count)); /* keeps the compiler from unrolling the loop */
    } while (--count != 0);
}

__attribute__((noinline)) static void count_own(size_t *bins, const uint32_t *keys, size_t count) {
    do {
        bins[*keys++]++;
        __asm__("" : "+r"(count));
    } while (--count != 0);
}

static void work(const struct program_point *point, size_t thread) {
    const struct histograms *histograms = point->data;
    const struct of_thread *mine = &histograms->of[thread];
    if (point->code == SHARED)
        count_shared((_Atomic size_t *)histograms->of[0].bins, mine->keys, point->parameter[KEYS]);
    else
        count_own(mine->bins, mine->keys, point->parameter[KEYS]);
}

const struct pattern_program pattern_program = {
    .usage = "Two threads that count KEYS keys each in BINS bins: REGION shared|own KEYS BINS\n",
    .codes = codes,
    .parameters = 2,
    .threads = THREADS,
    .setup = setup,
    .first_touch = first_touch,
    .work = work,
    .release = release,
};
