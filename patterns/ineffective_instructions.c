/* ineffective_instructions.c - y += a x on many rows: with scalars, with vectors, or with vectors and scalars for the
 * rest of each row.
 *
 * All codes do the same arithmetic. Rows whose length is no multiple of a vector leave a remainder, as short rows of
 * blocked matrices do. Rows stay in the core's caches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { SCALAR, VECTOR, REMAINDERS };
enum { LENGTH, ROWS, TIMES }; /* parameters */
enum { LANES = 4 };

static const char *const codes[] = {"scalar", "vector", "remainders", NULL};

struct rows {
    double *x, *y;
    size_t bytes; /* of each */
};

static void release(struct program_point *point) {
    struct rows *rows = point->data;
    program_free(rows->x, rows->bytes);
    program_free(rows->y, rows->bytes);
    free(rows);
}

static int setup(struct program_point *point, struct error *error) {
    size_t length = point->parameter[LENGTH];
    if (point->code == VECTOR && length % LANES != 0)
        return error_set(error, "%s: rows of %zu; give a multiple of %d", point->region, length, LANES);
    if (point->code == REMAINDERS && (length < LANES || length % LANES == 0))
        return error_set(error, "%s: rows of %zu; give more than %d and no multiple", point->region, length, LANES);
    struct rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL)
        return error_set(error, "no memory for rows; free some");
    point->data = rows;
    rows->bytes = length * point->parameter[ROWS] * sizeof(double);
    rows->x = program_allocate(rows->bytes, error);
    rows->y = rows->x == NULL ? NULL : program_allocate(rows->bytes, error);
    if (rows->y == NULL) {
        release(point);
        return -1;
    }
    return 0;
}

/* A row, or a part of it, in instructions of one width: one pass per vector or scalar. These functions and the loops
 * over rows (one pass per row) are counted in the machine code (validate/kernel/function.h). No fused
 * multiply-adds. */
__attribute__((target("avx"), noinline)) static void add_vectors(double *y, const double *x, size_t length) {
    const __m256d a = _mm256_set1_pd(0.5);
    const double *end = y + length;
    do {
        _mm256_storeu_pd(y, _mm256_add_pd(_mm256_mul_pd(a, _mm256_loadu_pd(x)), _mm256_loadu_pd(y)));
        x += LANES;
        y += LANES;
        __asm__("" : "+r"(y)); /* keeps the compiler from unrolling the loop */
    } while (y != end);
}

__attribute__((target("avx"), noinline)) static void add_scalars(double *y, const double *x, size_t length) {
    const __m128d a = _mm_set_sd(0.5);
    const double *end = y + length;
    do {
        _mm_store_sd(y, _mm_add_sd(_mm_mul_sd(a, _mm_load_sd(x++)), _mm_load_sd(y)));
        __asm__("" : "+r"(y));
    } while (++y != end);
}

__attribute__((noinline)) static void go_scalar(double *y, const double *x, size_t length, size_t rows) {
    do {
        add_scalars(y, x, length);
        y += length;
        x += length;
    } while (--rows != 0);
}

__attribute__((noinline)) static void go_vector(double *y, const double *x, size_t length, size_t rows) {
    do {
        add_vectors(y, x, length);
        y += length;
        x += length;
    } while (--rows != 0);
}

__attribute__((noinline)) static void go_remainders(double *y, const double *x, size_t length, size_t rows) {
    size_t rest = length % LANES, whole = length - rest;
    do {
        add_vectors(y, x, whole);
        add_scalars(y + whole, x + whole, rest);
        y += length;
        x += length;
    } while (--rows != 0);
}

static void add(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    static void (*const go[])(double *, const double *, size_t,
                              size_t) = {[SCALAR] = go_scalar, [VECTOR] = go_vector, [REMAINDERS] = go_remainders};
    const struct rows *rows = point->data;
    for (size_t time = 0; time < times; time++)
        go[point->code](rows->y, rows->x, point->parameter[LENGTH], point->parameter[ROWS]);
}

const struct pattern_program pattern_program = {
    .usage =
        "y += a x on ROWS rows of LENGTH elements, TIMES times: REGION scalar|vector|remainders LENGTH ROWS TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .repeat = add,
    .release = release,
};
