/* alu_saturation.c - fused multiply-adds of whole vectors on twelve registers, of a constant or of an array.
 *
 * What is calculated, and in how many instructions, is the same. Twelve sums side by side are more than any unit's
 * latency times how many there are, so that in registers the units are all that limits. The twin's instructions each
 * load one of their operands from an array that lies in L2, and wait for it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <string.h>

#include "patterns/program/program.h"

enum { REGISTERS, FROM_L2 };
enum { VECTORS, TIMES }; /* parameters */
enum { SUMS = 12, LANES = 4 };

static const char *const codes[] = {"registers", "from_l2", NULL};

static size_t bytes_of(const struct program_point *point) {
    return point->parameter[VECTORS] * LANES * sizeof(double);
}

static int setup(struct program_point *point, struct error *error) {
    if (point->parameter[VECTORS] % SUMS != 0)
        return error_set(error, "%s: %zu vectors; give a multiple of %d", point->region, point->parameter[VECTORS],
                         SUMS);
    point->data = program_allocate(bytes_of(point), error);
    return point->data != NULL ? 0 : -1;
}

/* What was never written to is one page of zeros, whose lines caches keep. */
static void first_touch(const struct program_point *point, size_t thread) {
    (void)thread;
    memset(point->data, 0, bytes_of(point));
}

/* assay counts both from their machine code (validate/kernel/function.h): one loop, a pass of which is twelve fused
 * multiply-adds, and in the second as many loads within them. */
#define ADD(sum, added) _mm256_fmadd_pd((sum), x, (added))

__attribute__((target("avx,fma"), noinline)) static double add_registers(const double *array, size_t operations) {
    const __m256d x = _mm256_set1_pd(0.5);
    __m256d a = _mm256_load_pd(array), b = _mm256_load_pd(array + LANES), c = _mm256_load_pd(array + 2 * LANES);
    __m256d d = _mm256_load_pd(array + 3 * LANES), e = _mm256_load_pd(array + 4 * LANES),
            f = _mm256_load_pd(array + 5 * LANES);
    __m256d g = _mm256_load_pd(array + 6 * LANES), h = _mm256_load_pd(array + 7 * LANES),
            i = _mm256_load_pd(array + 8 * LANES);
    __m256d j = _mm256_load_pd(array + 9 * LANES), k = _mm256_load_pd(array + 10 * LANES),
            l = _mm256_load_pd(array + 11 * LANES);
    do {
        a = ADD(a, x);
        b = ADD(b, x);
        c = ADD(c, x);
        d = ADD(d, x);
        e = ADD(e, x);
        f = ADD(f, x);
        g = ADD(g, x);
        h = ADD(h, x);
        i = ADD(i, x);
        j = ADD(j, x);
        k = ADD(k, x);
        l = ADD(l, x);
    } while ((operations -= SUMS) != 0);
    return _mm256_cvtsd_f64(ADD(a, ADD(b, ADD(c, ADD(d, ADD(e, ADD(f, ADD(g, ADD(h, ADD(i, ADD(j, ADD(k, l))))))))))));
}

__attribute__((target("avx,fma"), noinline)) static double add_from(const double *first, size_t vectors,
                                                                    size_t operations) {
    const __m256d x = _mm256_set1_pd(0.5);
    size_t at = 0;
    __m256d a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, k = x, l = x;
    do {
        const double *array = first + at;
        a = ADD(a, _mm256_load_pd(array));
        b = ADD(b, _mm256_load_pd(array + LANES));
        c = ADD(c, _mm256_load_pd(array + 2 * LANES));
        d = ADD(d, _mm256_load_pd(array + 3 * LANES));
        e = ADD(e, _mm256_load_pd(array + 4 * LANES));
        f = ADD(f, _mm256_load_pd(array + 5 * LANES));
        g = ADD(g, _mm256_load_pd(array + 6 * LANES));
        h = ADD(h, _mm256_load_pd(array + 7 * LANES));
        i = ADD(i, _mm256_load_pd(array + 8 * LANES));
        j = ADD(j, _mm256_load_pd(array + 9 * LANES));
        k = ADD(k, _mm256_load_pd(array + 10 * LANES));
        l = ADD(l, _mm256_load_pd(array + 11 * LANES));
        at += SUMS * LANES;
        at &= -(size_t)(at != vectors * LANES); /* from the beginning again, without a jump */
    } while ((operations -= SUMS) != 0);
    return _mm256_cvtsd_f64(ADD(a, ADD(b, ADD(c, ADD(d, ADD(e, ADD(f, ADD(g, ADD(h, ADD(i, ADD(j, ADD(k, l))))))))))));
}

static void add_times(const struct program_point *point, size_t times) {
    static volatile double last; /* so that it is calculated for a reason */
    size_t vectors = point->parameter[VECTORS];
    last = point->code == REGISTERS ? add_registers(point->data, times * vectors)
                                    : add_from(point->data, vectors, times * vectors);
    (void)last;
}

static void warm_up(const struct program_point *point, size_t thread) {
    (void)thread;
    add_times(point, 1);
}

static void work(const struct program_point *point, size_t thread) {
    (void)thread;
    add_times(point, point->parameter[TIMES]);
}

static void release(struct program_point *point) {
    program_free(point->data, bytes_of(point));
}

const struct pattern_program pattern_program = {
    .usage = "VECTORS fused multiply-adds, TIMES times: REGION registers|from_l2 VECTORS TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
