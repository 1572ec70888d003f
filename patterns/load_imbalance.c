/* load_imbalance.c - upper triangular matrix-vector product on two threads: rows in halves, or dealt by equal work.
 *
 * y = A x, four rows at a time (a block), in panels of 128 columns: a tile is a block's part of a panel. A row begins
 * at the multiple of 4 at or below its diagonal; what lies left of the diagonal there is 0. All arithmetic is 256 bits
 * wide, and none but multiplications and additions: y keeps the sums of each tile and lane apart.
 *
 * The layout leaves nothing to chance that is used twice: a panel of x, 16 lines of the thread's own copy, stays in L1
 * while the tiles of the panel go through it, each 4 rows of up to 16 lines; all else, the matrix and the sums of the
 * tiles, is used once a time. Rows are 17 lines further apart than they are long, so that those of a tile do not meet
 * in the sets of L1, and that all sets of the other caches are used alike.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { HALVED, DEALT };
enum { N, TIMES }; /* parameters */
enum { LANES = 4, ROWS = 4, THREADS = 2 };
enum { PANEL = 128, PAD = 17 * PROGRAM_LINE_BYTES / sizeof(double) }; /* columns; doubles between two rows */

static const char *const codes[] = {"halved", "dealt", NULL};

struct problem {
    double *matrix;
    size_t pitch; /* doubles from one row to the next */
    size_t bytes;
    struct vectors {
        double *x, *sums;
        size_t bytes;
    } of[THREADS];
};

/* Whether a block of rows is this thread's. Dealt two by two, so that no line of y is shared: 0 1 1 0 0 1 1 0 .., by
 * which longer and shorter ones even out. */
static inline int is_mine(size_t code, size_t blocks, size_t block, size_t thread) {
    if (code == HALVED)
        return (block >= blocks / 2) == (thread == 1);
    return (block / 2 + 1) / 2 % 2 == thread;
}

/* Tiles of all blocks, as if they were one thread's. */
static size_t count_tiles(size_t n) {
    size_t panels = n / PANEL;
    return PANEL / ROWS * panels * (panels + 1) / 2;
}

static int allocate(struct problem *problem, size_t n, struct error *error) {
    problem->pitch = n + PAD;
    problem->bytes = n * problem->pitch * sizeof(double);
    problem->matrix = program_allocate(problem->bytes, error);
    int result = problem->matrix != NULL ? 0 : -1;
    for (size_t thread = 0; result == 0 && thread < THREADS; thread++) {
        struct vectors *of = &problem->of[thread];
        of->bytes = (n + count_tiles(n) * ROWS * LANES) * sizeof(double);
        of->x = program_allocate(of->bytes, error);
        of->sums = of->x + n;
        result = of->x != NULL ? 0 : -1;
    }
    return result;
}

static void release_problem(struct problem *problem) {
    for (size_t thread = 0; thread < THREADS; thread++)
        program_free(problem->of[thread].x, problem->of[thread].bytes);
    program_free(problem->matrix, problem->bytes);
    free(problem);
}

static int setup(struct program_point *point, struct error *error) {
    size_t n = point->parameter[N];
    if (n % PANEL != 0)
        return error_set(error, "%s: N = %zu; give a multiple of %d", point->region, n, PANEL);
    struct problem *problem = calloc(1, sizeof *problem);
    if (problem == NULL)
        return error_set(error, "no memory for a problem; free some");
    if (allocate(problem, n, error) != 0) {
        release_problem(problem);
        return -1;
    }
    point->data = problem;
    return 0;
}

/* Every thread its own rows and vectors; ones, so that no product is a denormal number. */
static void first_touch(const struct program_point *point, size_t thread) {
    const struct problem *problem = point->data;
    size_t n = point->parameter[N];
    for (size_t row = 0; row < n; row++) {
        if (is_mine(point->code, n / ROWS, row / ROWS, thread)) {
            for (size_t i = row; i < n; i++)
                problem->matrix[row * problem->pitch + i] = 1.0;
        }
        problem->of[thread].x[row] = 1.0;
    }
}

/* Adds the product of four rows from `a` on, `pitch` apart, with `quads` groups of x to the tile's sums. assay counts
 * it from its machine code (validate/kernel/function.h): one loop, a pass of which is a group. */
__attribute__((target("avx"), noinline)) static void multiply_tile(const double *a, size_t pitch, const double *x,
                                                                   double *sums, size_t quads) {
    __m256d s0 = _mm256_load_pd(sums), s1 = _mm256_load_pd(sums + LANES);
    __m256d s2 = _mm256_load_pd(sums + 2 * LANES), s3 = _mm256_load_pd(sums + 3 * LANES);
    const double *end = x + quads * LANES;
    do {
        __m256d v = _mm256_load_pd(x);
        s0 = _mm256_add_pd(s0, _mm256_mul_pd(v, _mm256_load_pd(a)));
        s1 = _mm256_add_pd(s1, _mm256_mul_pd(v, _mm256_load_pd(a + pitch)));
        s2 = _mm256_add_pd(s2, _mm256_mul_pd(v, _mm256_load_pd(a + 2 * pitch)));
        s3 = _mm256_add_pd(s3, _mm256_mul_pd(v, _mm256_load_pd(a + 3 * pitch)));
        a += LANES;
        x += LANES;
    } while (x != end);
    _mm256_store_pd(sums, s0);
    _mm256_store_pd(sums + LANES, s1);
    _mm256_store_pd(sums + 2 * LANES, s2);
    _mm256_store_pd(sums + 3 * LANES, s3);
}

/* The thread's tiles, once, panel by panel. */
static void multiply(const struct problem *problem, size_t n, size_t code, size_t thread) {
    const double *x = problem->of[thread].x;
    double *sums = problem->of[thread].sums;
    for (size_t panel = 0; panel < n; panel += PANEL) {
        size_t end = panel + PANEL;
        for (size_t row = 0; row < end; row += ROWS) {
            if (!is_mine(code, n / ROWS, row / ROWS, thread))
                continue;
            size_t begin = row > panel ? row : panel;
            multiply_tile(problem->matrix + row * problem->pitch + begin, problem->pitch, x + begin, sums,
                          (end - begin) / LANES);
            sums += ROWS * LANES;
        }
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
    release_problem(point->data);
}

const struct pattern_program pattern_program = {
    .usage = "Upper triangular matrix-vector product, N rows, repeated: REGION halved|dealt N TIMES\n",
    .codes = codes,
    .parameters = 2,
    .lasting = 1,
    .threads = 2,
    .setup = setup,
    .first_touch = first_touch,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
