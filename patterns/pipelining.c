/* pipelining.c - steps of a polynomial (multiply and add), in one chain or in eight independent chains; a chain of
 * divisions.
 *
 * The first two codes do the same operations with the same number of instructions: eight steps a pass. In a chain each
 * step waits for the one before it, and most of the pipeline is empty. Of eight independent chains one can always
 * continue. SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>

#include "patterns/program/program.h"

enum { CHAIN, SIDE_BY_SIDE, DIVIDE };
enum { PASSES }; /* parameter */

static const char *const codes[] = {"chain", "side_by_side", "divide", NULL};

#define STEP(value) _mm256_add_pd(_mm256_mul_pd((value), x), coefficient)

/* Each function has one loop, eight steps a pass. The instructions are counted in the machine code
 * (validate/kernel/function.h). No fused multiply-adds. */
__attribute__((target("avx"), noinline)) static double go_chain(double start, size_t passes) {
    const __m256d x = _mm256_set1_pd(0.5), coefficient = _mm256_set1_pd(start);
    __m256d value = coefficient;
    do {
        value = STEP(value);
        value = STEP(value);
        value = STEP(value);
        value = STEP(value);
        value = STEP(value);
        value = STEP(value);
        value = STEP(value);
        value = STEP(value);
    } while (--passes != 0);
    return _mm256_cvtsd_f64(value);
}

__attribute__((target("avx"), noinline)) static double go_side_by_side(double start, size_t passes) {
    const __m256d x = _mm256_set1_pd(0.5), coefficient = _mm256_set1_pd(start);
    __m256d a = coefficient, b = STEP(a), c = STEP(b), d = STEP(c), e = STEP(d), f = STEP(e), g = STEP(f), h = STEP(g);
    do {
        a = STEP(a);
        b = STEP(b);
        c = STEP(c);
        d = STEP(d);
        e = STEP(e);
        f = STEP(f);
        g = STEP(g);
        h = STEP(h);
    } while (--passes != 0);
    a = _mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d));
    e = _mm256_add_pd(_mm256_add_pd(e, f), _mm256_add_pd(g, h));
    return _mm256_cvtsd_f64(_mm256_add_pd(a, e));
}

/* A chain of divisions of integers. */
__attribute__((noinline)) static unsigned go_divide(unsigned value, unsigned divisor, size_t passes) {
    const unsigned start = value;
    do {
        value = value / divisor + start;
        value = value / divisor + start;
        value = value / divisor + start;
        value = value / divisor + start;
        value = value / divisor + start;
        value = value / divisor + start;
        value = value / divisor + start;
        value = value / divisor + start;
    } while (--passes != 0);
    return value;
}

static void work(const struct program_point *point, size_t thread) {
    static volatile double last; /* keeps the compiler from dropping the calculation */
    (void)thread;
    if (point->code == DIVIDE) {
        static volatile unsigned number = 1u << 20, divisor = 3; /* not known to the compiler */
        last = go_divide(number, divisor, point->parameter[PASSES]);
    } else {
        last = (point->code == CHAIN ? go_chain : go_side_by_side)(1, point->parameter[PASSES]);
    }
    (void)last;
}

const struct pattern_program pattern_program = {
    .usage = "PASSES of eight steps of a polynomial, or of eight divisions: REGION chain|side_by_side|divide PASSES\n",
    .codes = codes,
    .parameters = 1,
    .threads = 1,
    .work = work,
};
