/* load_imbalance.c - upper triangular matrix-vector product on two threads: rows in halves, or dealt by equal work.
 *
 * y = A x, four rows at a time (a block), in panels of 128 columns. A tile is a block's part of a panel. A row begins
 * at the multiple of 4 at or below its diagonal; elements left of the diagonal are 0. All arithmetic is 256-bit
 * multiplications and additions: y keeps the sums of each tile and lane separately.
 *
 * The layout makes reuse in the caches predictable. A panel of x, 16 lines of the thread's own copy, stays in L1 while
 * the panel's tiles are used; the matrix and the sums are used once per execution. A panel ends with a page, so that no
 * prefetcher fetches lines past it: none crosses a page. Tiles are stored in the order of their use, so the part of the
 * matrix that a cache holds is always one piece, which fills all sets of every cache and directory equally. (Rows at a
 * constant pitch would fill some sets more than others. With a snoop filter of 12 ways up to 72 % of L2's lines were
 * then taken back before L2 evicted them, depending on N and the pitch.)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include "patterns/program/program.h"

enum { HALVED, DEALT };
enum { N, TIMES }; /* parameters */
enum { LANES = 4, ROWS = 4, THREADS = 2 };
enum { PANEL = 128, PAGE = 4096 / sizeof(double) }; /* columns, doubles */

static const char *const codes[] = {"halved", "dealt", NULL};

struct problem {
    struct own {
        double *x, *sums, *tiles; /* x: a page for each panel */
        size_t bytes;             /* of all three, which follow each other */
    } of[THREADS];
};

/* Whether a block of rows is this thread's. Blocks are dealt in pairs, so that no line of y is shared, to the threads
 * 0 1 1 0 0 1 1 0 .., so that longer and shorter rows even out. */
static inline int is_mine(size_t code, size_t blocks, size_t block, size_t thread) {
    if (code == HALVED)
        return (block >= blocks / 2) == (thread == 1);
    return (block / 2 + 1) / 2 % 2 == thread;
}

/* x from a column on, up to the end of the column's panel. */
static double *x_from(const struct own *of, size_t column) {
    return of->x + (column / PANEL + 1) * PAGE - PANEL + column % PANEL;
}

/* A block's part of a panel; the part ends with the panel. */
struct tile {
    size_t end, next; /* the panel's end and the next block; 0 before the first tile */
    size_t row, begin, columns;
};

/* Advances to the thread's next tile, panel by panel; returns 0 after the last. */
static int next_tile(size_t n, size_t code, size_t thread, struct tile *tile) {
    for (;;) {
        if (tile->next * ROWS == tile->end) {
            tile->next = 0;
            tile->end += PANEL;
        }
        if (tile->end > n)
            return 0;
        size_t block = tile->next++, panel = tile->end - PANEL;
        if (is_mine(code, n / ROWS, block, thread)) {
            tile->row = block * ROWS;
            tile->begin = tile->row > panel ? tile->row : panel;
            tile->columns = tile->end - tile->begin;
            return 1;
        }
    }
}

static int allocate(struct problem *problem, size_t n, size_t code, struct error *error) {
    int result = 0;
    for (size_t thread = 0; result == 0 && thread < THREADS; thread++) {
        struct own *of = &problem->of[thread];
        size_t sums = 0, tiles = 0; /* doubles */
        for (struct tile tile = {0}; next_tile(n, code, thread, &tile);) {
            sums += ROWS * LANES;
            tiles += ROWS * tile.columns;
        }
        size_t x = n / PANEL * PAGE;
        of->bytes = (x + sums + tiles) * sizeof(double);
        of->x = program_allocate(of->bytes, error);
        of->sums = of->x + x;
        of->tiles = of->sums + sums;
        result = of->x != NULL ? 0 : -1;
    }
    return result;
}

static void release_problem(struct problem *problem) {
    for (size_t thread = 0; thread < THREADS; thread++)
        program_free(problem->of[thread].x, problem->of[thread].bytes);
    free(problem);
}

static int setup(struct program_point *point, struct error *error) {
    size_t n = point->parameter[N];
    if (n % PANEL != 0)
        return error_set(error, "%s: N = %zu; give a multiple of %d", point->region, n, PANEL);
    struct problem *problem = calloc(1, sizeof *problem);
    if (problem == NULL)
        return error_set(error, "no memory for a problem; free some");
    if (allocate(problem, n, point->code, error) != 0) {
        release_problem(problem);
        return -1;
    }
    point->data = problem;
    return 0;
}

/* Each thread has its own copy, all ones, so that no product is denormal. A row's zeros left of the diagonal are fewer
 * than a vector. */
__attribute__((target("avx"))) static void first_touch(const struct program_point *point, size_t thread) {
    const struct problem *problem = point->data;
    static const double step[2 * LANES] = {0, 0, 0, 0, 1, 1, 1, 1};
    size_t n = point->parameter[N];
    struct own of = problem->of[thread];
    for (size_t column = 0; column < n; column++)
        *x_from(&of, column) = 1.0;
    for (struct tile tile = {0}; next_tile(n, point->code, thread, &tile); of.sums += ROWS * LANES) {
        memset(of.sums, 0, ROWS * LANES * sizeof *of.sums);
        for (size_t row = tile.row; row < tile.row + ROWS; row++) {
            for (size_t column = tile.begin; column < tile.end; column += LANES, of.tiles += LANES)
                _mm256_storeu_pd(of.tiles, _mm256_loadu_pd(step + LANES - (column < row ? row - column : 0)));
        }
    }
}

/* Adds the product of a tile (four rows of `columns` columns) with its part of x to the tile's sums. One loop, one pass
 * per group. The instructions are counted in the machine code (validate/kernel/function.h). */
__attribute__((target("avx"), noinline)) static void multiply_tile(const double *a, const double *x, double *sums,
                                                                   size_t columns) {
    __m256d s0 = _mm256_load_pd(sums), s1 = _mm256_load_pd(sums + LANES);
    __m256d s2 = _mm256_load_pd(sums + 2 * LANES), s3 = _mm256_load_pd(sums + 3 * LANES);
    const double *end = x + columns;
    do {
        __m256d v = _mm256_load_pd(x);
        s0 = _mm256_add_pd(s0, _mm256_mul_pd(v, _mm256_load_pd(a)));
        s1 = _mm256_add_pd(s1, _mm256_mul_pd(v, _mm256_load_pd(a + columns)));
        s2 = _mm256_add_pd(s2, _mm256_mul_pd(v, _mm256_load_pd(a + 2 * columns)));
        s3 = _mm256_add_pd(s3, _mm256_mul_pd(v, _mm256_load_pd(a + 3 * columns)));
        a += LANES;
        x += LANES;
    } while (x != end);
    _mm256_store_pd(sums, s0);
    _mm256_store_pd(sums + LANES, s1);
    _mm256_store_pd(sums + 2 * LANES, s2);
    _mm256_store_pd(sums + 3 * LANES, s3);
}

/* Multiplies all tiles of the thread once. */
static void multiply(const struct problem *problem, size_t n, size_t code, size_t thread) {
    struct own of = problem->of[thread];
    for (struct tile tile = {0}; next_tile(n, code, thread, &tile); of.sums += ROWS * LANES) {
        multiply_tile(of.tiles, x_from(&of, tile.begin), of.sums, tile.columns);
        of.tiles += ROWS * tile.columns;
    }
}

/* The warm-up is one execution, so a region begins with the caches as an execution leaves them, not the first touch. */
static void multiply_times(const struct program_point *point, size_t thread, size_t times) {
    for (size_t time = 0; time < times; time++)
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
    .repeat = multiply_times,
    .release = release,
};
