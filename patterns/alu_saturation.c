/* alu_saturation.c - multiplications and additions of whole vectors on twelve registers, with a constant or with an
 * array.
 *
 * Both codes do the same operations with the same number of instructions. Half are multiplications and half additions,
 * so that the units of both kinds are busy. Twelve independent values are more than the latency times the number of
 * units, so in registers only the units limit the code. In `from_l2` each instruction loads an operand from an
 * array in L2 and waits for it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <string.h>

#include "patterns/program/program.h"

enum { REGISTERS, FROM_L2 };
enum { VECTORS, TIMES }; /* parameters */
enum { VALUES = 12, LANES = 4 };

static const char *const codes[] = {"registers", "from_l2", NULL};

static size_t bytes_of(const struct program_point *point) {
    return point->parameter[VECTORS] * LANES * sizeof(double);
}

static int setup(struct program_point *point, struct error *error) {
    if (point->parameter[VECTORS] % VALUES != 0)
        return error_set(error, "%s: %zu vectors; give a multiple of %d", point->region, point->parameter[VECTORS],
                         VALUES);
    point->data = program_allocate(bytes_of(point), error);
    return point->data != NULL ? 0 : -1;
}

/* Memory that was never written is one page of zeros, which would stay in the caches. */
static void first_touch(const struct program_point *point, size_t thread) {
    (void)thread;
    memset(point->data, 0, bytes_of(point));
}

static inline __attribute__((target("avx"), always_inline)) double sum(__m256d a, __m256d b, __m256d c, __m256d d,
                                                                       __m256d e, __m256d f) {
    a = _mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d));
    return _mm256_cvtsd_f64(_mm256_add_pd(a, _mm256_add_pd(e, f)));
}

/* Each function has one loop. A pass is six multiplications and six additions, in the second function each with a load.
 * The instructions are counted in the machine code (validate/kernel/function.h). */
__attribute__((target("avx"), noinline)) static double go_registers(const double *array, size_t operations) {
    const __m256d x = _mm256_set1_pd(0.5);
    __m256d a = _mm256_load_pd(array), b = _mm256_load_pd(array + LANES), c = _mm256_load_pd(array + 2 * LANES);
    __m256d d = _mm256_load_pd(array + 3 * LANES), e = _mm256_load_pd(array + 4 * LANES),
            f = _mm256_load_pd(array + 5 * LANES);
    __m256d g = _mm256_load_pd(array + 6 * LANES), h = _mm256_load_pd(array + 7 * LANES),
            i = _mm256_load_pd(array + 8 * LANES);
    __m256d j = _mm256_load_pd(array + 9 * LANES), k = _mm256_load_pd(array + 10 * LANES),
            l = _mm256_load_pd(array + 11 * LANES);
    do {
        a = _mm256_mul_pd(a, x);
        b = _mm256_mul_pd(b, x);
        c = _mm256_mul_pd(c, x);
        d = _mm256_mul_pd(d, x);
        e = _mm256_mul_pd(e, x);
        f = _mm256_mul_pd(f, x);
        g = _mm256_add_pd(g, x);
        h = _mm256_add_pd(h, x);
        i = _mm256_add_pd(i, x);
        j = _mm256_add_pd(j, x);
        k = _mm256_add_pd(k, x);
        l = _mm256_add_pd(l, x);
    } while ((operations -= VALUES) != 0);
    return sum(a, b, c, d, e, f) + sum(g, h, i, j, k, l);
}

__attribute__((target("avx"), noinline)) static double go_from_l2(const double *first, size_t vectors,
                                                                  size_t operations) {
    const __m256d x = _mm256_set1_pd(0.5);
    __m256d a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, k = x, l = x;
    size_t at = 0;
    do {
        const double *array = first + at;
        a = _mm256_mul_pd(a, _mm256_load_pd(array));
        b = _mm256_mul_pd(b, _mm256_load_pd(array + LANES));
        c = _mm256_mul_pd(c, _mm256_load_pd(array + 2 * LANES));
        d = _mm256_mul_pd(d, _mm256_load_pd(array + 3 * LANES));
        e = _mm256_mul_pd(e, _mm256_load_pd(array + 4 * LANES));
        f = _mm256_mul_pd(f, _mm256_load_pd(array + 5 * LANES));
        g = _mm256_add_pd(g, _mm256_load_pd(array + 6 * LANES));
        h = _mm256_add_pd(h, _mm256_load_pd(array + 7 * LANES));
        i = _mm256_add_pd(i, _mm256_load_pd(array + 8 * LANES));
        j = _mm256_add_pd(j, _mm256_load_pd(array + 9 * LANES));
        k = _mm256_add_pd(k, _mm256_load_pd(array + 10 * LANES));
        l = _mm256_add_pd(l, _mm256_load_pd(array + 11 * LANES));
        at += VALUES * LANES;
        at &= -(size_t)(at != vectors * LANES); /* 0 at the end of the array, without a jump */
    } while ((operations -= VALUES) != 0);
    return sum(a, b, c, d, e, f) + sum(g, h, i, j, k, l);
}

static void go(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    static volatile double last; /* keeps the compiler from dropping the calculation */
    size_t vectors = point->parameter[VECTORS];
    last = point->code == REGISTERS ? go_registers(point->data, times * vectors)
                                    : go_from_l2(point->data, vectors, times * vectors);
    (void)last;
}

static void release(struct program_point *point) {
    program_free(point->data, bytes_of(point));
}

const struct pattern_program pattern_program = {
    .usage = "One operation for each of VECTORS vectors, TIMES times: REGION registers|from_l2 VECTORS TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = go,
    .release = release,
};
