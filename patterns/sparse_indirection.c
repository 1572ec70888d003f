/* sparse_indirection.c - a five-point stencil on four unknowns per cell: as a sparse matrix in CSR, or directly as a
 * stencil.
 *
 * Both codes add A x to y with the same A. A row of the matrix is a cell and its neighbours in a grid of WIDTH
 * columns. Both do the same arithmetic, in vectors of the four unknowns. The matrix finds each of a row's five entries
 * through an array of columns, and calls a function for each row. WIDTH further cells lie before the first cell and
 * behind the last one, so that all cells have four neighbours.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { CSR, STENCIL };
enum { WIDTH, ROWS, TIMES }; /* parameters */
enum { LANES = 4, ENTRIES = 5 };

static const char *const codes[] = {"csr", "stencil", NULL};
static const double coefficients[ENTRIES] = {0.125, 0.125, 0.5, 0.125, 0.125};

struct grid {
    double *x, *y;     /* LANES of each cell */
    double *values;    /* CSR: ENTRIES for each row */
    uint32_t *columns; /* CSR: the entries' columns, as numbers of cells */
    size_t *starts;    /* CSR: index of each row's first entry, and the number of entries */
    size_t cells;      /* of x */
};

static void release(struct program_point *point) {
    struct grid *grid = point->data;
    size_t rows = point->parameter[ROWS];
    program_free(grid->x, grid->cells * LANES * sizeof *grid->x);
    program_free(grid->y, rows * LANES * sizeof *grid->y);
    program_free(grid->values, rows * ENTRIES * sizeof *grid->values);
    program_free(grid->columns, rows * ENTRIES * sizeof *grid->columns);
    program_free(grid->starts, (rows + 1) * sizeof *grid->starts);
    free(grid);
}

static int setup(struct program_point *point, struct error *error) {
    size_t rows = point->parameter[ROWS];
    struct grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL)
        return error_set(error, "no memory for a grid; free some");
    point->data = grid;
    grid->cells = rows + 2 * point->parameter[WIDTH];
    if ((grid->x = program_allocate(grid->cells * LANES * sizeof *grid->x, error)) != NULL &&
        (grid->y = program_allocate(rows * LANES * sizeof *grid->y, error)) != NULL &&
        (grid->values = program_allocate(rows * ENTRIES * sizeof *grid->values, error)) != NULL &&
        (grid->columns = program_allocate(rows * ENTRIES * sizeof *grid->columns, error)) != NULL &&
        (grid->starts = program_allocate((rows + 1) * sizeof *grid->starts, error)) != NULL)
        return 0;
    release(point);
    return -1;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct grid *grid = point->data;
    size_t width = point->parameter[WIDTH];
    const size_t places[ENTRIES] = {0, width - 1, width, width + 1, 2 * width};
    (void)thread;
    for (size_t i = 0; i < grid->cells * LANES; i++)
        grid->x[i] = (double)(i % 7);
    for (size_t row = 0; row < point->parameter[ROWS]; row++) {
        for (size_t i = 0; i < ENTRIES; i++) {
            grid->values[row * ENTRIES + i] = coefficients[i];
            grid->columns[row * ENTRIES + i] = (uint32_t)(row + places[i]);
        }
        grid->starts[row + 1] = (row + 1) * ENTRIES;
    }
}

/* Each of these has one loop; a pass is an entry, a row of the matrix, a cell, or one execution. Their
 * instructions are counted in the machine code (validate/kernel/function.h). No fused multiply-adds. */
__attribute__((target("avx"), noinline)) static void multiply_row(double *y, const double *x, const double *values,
                                                                  const uint32_t *columns, size_t entries) {
    const uint32_t *end = columns + entries;
    __m256d sum = _mm256_loadu_pd(y);
    do {
        __m256d unknowns = _mm256_loadu_pd(x + *columns * (size_t)LANES);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_broadcast_sd(values++), unknowns));
        __asm__("" : "+r"(columns)); /* keeps the compiler from unrolling the loop */
    } while (++columns != end);
    _mm256_storeu_pd(y, sum);
}

__attribute__((noinline)) static void go_csr(double *y, const double *x, const double *values, const uint32_t *columns,
                                             const size_t *starts, size_t rows) {
    const size_t *end = starts + rows;
    do {
        multiply_row(y, x, values + starts[0], columns + starts[0], starts[1] - starts[0]);
        y += LANES;
    } while (++starts != end);
}

__attribute__((target("avx"), noinline)) static void go_stencil(double *y, const double *x, size_t width, size_t rows) {
    const double *row = x + width * LANES, *last = row + width * LANES, *end = y + rows * LANES;
    const __m256d next = _mm256_set1_pd(coefficients[0]), own = _mm256_set1_pd(coefficients[ENTRIES / 2]);
    do {
        __m256d sum = _mm256_loadu_pd(y);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(next, _mm256_loadu_pd(x)));
        sum = _mm256_add_pd(sum, _mm256_mul_pd(next, _mm256_loadu_pd(row - LANES)));
        sum = _mm256_add_pd(sum, _mm256_mul_pd(own, _mm256_loadu_pd(row)));
        sum = _mm256_add_pd(sum, _mm256_mul_pd(next, _mm256_loadu_pd(row + LANES)));
        sum = _mm256_add_pd(sum, _mm256_mul_pd(next, _mm256_loadu_pd(last)));
        _mm256_storeu_pd(y, sum);
        x += LANES;
        row += LANES;
        last += LANES;
        y += LANES;
        __asm__("" : "+r"(y)); /* keeps the compiler from unrolling the loop */
    } while (y != end);
}

__attribute__((noinline)) static void repeat_csr(double *y, const double *x, const double *values,
                                                 const uint32_t *columns, const size_t *starts, size_t rows,
                                                 size_t times) {
    do
        go_csr(y, x, values, columns, starts, rows);
    while (--times != 0);
}

__attribute__((noinline)) static void repeat_stencil(double *y, const double *x, size_t width, size_t rows,
                                                     size_t times) {
    do
        go_stencil(y, x, width, rows);
    while (--times != 0);
}

static void multiply(const struct program_point *point, size_t thread, size_t times) {
    const struct grid *grid = point->data;
    size_t rows = point->parameter[ROWS];
    (void)thread;
    if (point->code == CSR)
        repeat_csr(grid->y, grid->x, grid->values, grid->columns, grid->starts, rows, times);
    else
        repeat_stencil(grid->y, grid->x, point->parameter[WIDTH], rows, times);
}

const struct pattern_program pattern_program = {
    .usage = "A stencil on ROWS cells of a grid with WIDTH columns, TIMES times: REGION csr|stencil WIDTH ROWS TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = multiply,
    .release = release,
};
