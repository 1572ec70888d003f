/* load_imbalance.c - upper triangular matrix-vector product on two threads: rows in halves, or dealt by equal work.
 *
 * y = y + A x, four rows at a time (a block). A row begins at the multiple of 4 at or below its diagonal; what lies
 * left of the diagonal there is 0. All memory operands and all arithmetic are 256 bits wide, none is half-wide, so that
 * every operation counts in AVX_INSTS_CALC: of a block of four rows of `quads` groups of 4 elements 4 * quads
 * multiplications, 4 * (quads - 1) additions, and for the lanes 2 vhaddpd, vperm2f128, vblendpd, 2 vaddpd.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { HALVED, DEALT };
enum { N, TIMES }; /* parameters */
enum { LANES = 4 };

static const char *const codes[] = {"halved", "dealt", NULL};

struct problem {
    double *matrix, *x, *y;
    size_t bytes;
};

/* Whether a block of rows is this thread's. Dealt two by two, so that no line of y is shared: 0 1 1 0 0 1 1 0 .., by
 * which longer and shorter ones even out. */
static inline int is_mine(size_t code, size_t blocks, size_t block, size_t thread) {
    if (code == HALVED)
        return (block >= blocks / 2) == (thread == 1);
    return (block / 2 + 1) / 2 % 2 == thread;
}

static int setup(struct program_point *point, struct error *error) {
    size_t n = point->parameter[N];
    if (n % (8 * LANES) != 0)
        return error_set(error, "%s: N = %zu; give a multiple of %d", point->region, n, 8 * LANES);
    struct problem *problem = malloc(sizeof *problem);
    if (problem == NULL)
        return error_set(error, "no memory for a problem; free some");
    problem->bytes = (n * n + 2 * n) * sizeof(double);
    problem->matrix = program_allocate(problem->bytes, error);
    if (problem->matrix == NULL) {
        free(problem);
        return -1;
    }
    problem->x = problem->matrix + n * n;
    problem->y = problem->x + n;
    point->data = problem;
    return 0;
}

/* Every thread its own rows; ones, so that no product is a denormal number. The vectors are the first thread's. */
static void first_touch(const struct program_point *point, size_t thread) {
    const struct problem *problem = point->data;
    size_t n = point->parameter[N];
    for (size_t row = 0; row < n; row++) {
        if (is_mine(point->code, n / LANES, row / LANES, thread)) {
            for (size_t i = row; i < n; i++)
                problem->matrix[row * n + i] = 1.0;
        }
        if (thread == 0)
            problem->x[row] = 1.0;
    }
}

/* Four rows from `a` on, n apart, times `quads` groups of x, added to y[0..3]. */
__attribute__((target("avx"), always_inline)) static inline void
multiply_block(const double *a, size_t n, const double *x, double *y, size_t quads) {
    __m256d v = _mm256_load_pd(x);
    __m256d s0 = _mm256_mul_pd(v, _mm256_load_pd(a)), s1 = _mm256_mul_pd(v, _mm256_load_pd(a + n));
    __m256d s2 = _mm256_mul_pd(v, _mm256_load_pd(a + 2 * n)), s3 = _mm256_mul_pd(v, _mm256_load_pd(a + 3 * n));
    for (size_t i = LANES; i < quads * LANES; i += LANES) {
        v = _mm256_load_pd(x + i);
        s0 = _mm256_add_pd(s0, _mm256_mul_pd(v, _mm256_load_pd(a + i)));
        s1 = _mm256_add_pd(s1, _mm256_mul_pd(v, _mm256_load_pd(a + n + i)));
        s2 = _mm256_add_pd(s2, _mm256_mul_pd(v, _mm256_load_pd(a + 2 * n + i)));
        s3 = _mm256_add_pd(s3, _mm256_mul_pd(v, _mm256_load_pd(a + 3 * n + i)));
    }
    __m256d low = _mm256_hadd_pd(s0, s1), high = _mm256_hadd_pd(s2, s3);
    __m256d sum = _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x21), _mm256_blend_pd(low, high, 0xc));
    _mm256_store_pd(y, _mm256_add_pd(sum, _mm256_load_pd(y)));
}

/* The thread's blocks, once. What it needs for them stays in registers: lines of its own would come and go with those
 * of the matrix. */
__attribute__((target("avx"), noinline)) static void multiply(const struct problem *problem, size_t n, size_t code,
                                                              size_t thread) {
    const double *row = problem->matrix, *x = problem->x;
    double *y = problem->y;
    for (size_t quads = n / LANES, blocks = quads; quads > 0; quads--) {
        if (is_mine(code, blocks, blocks - quads, thread))
            multiply_block(row, n, x, y, quads);
        row += LANES * n + LANES;
        x += LANES;
        y += LANES;
    }
}

/* The caches then hold what a time leaves there, not what the first touch wrote. */
static void warm_up(const struct program_point *point, size_t thread) {
    multiply(point->data, point->parameter[N], point->code, thread);
}

static void work(const struct program_point *point, size_t thread) {
    for (size_t time = 0; time < point->parameter[TIMES]; time++)
        multiply(point->data, point->parameter[N], point->code, thread);
}

static void release(struct program_point *point) {
    struct problem *problem = point->data;
    program_free(problem->matrix, problem->bytes);
    free(problem);
}

const struct pattern_program pattern_program = {
    .usage = "Upper triangular matrix-vector product, N rows, repeated: REGION halved|dealt N TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = 2,
    .setup = setup,
    .first_touch = first_touch,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
