/* arithmetic_intensity.c - dot product, matrix-vector product and product of matrices, with all operands in memory.
 *
 * y = A x and C += A B, with ROWS rows of A and N columns; a dot product is y = A x with one row. They are plain loops
 * without blocking, or OpenBLAS's functions. At the end of each execution, within the region, all operands are flushed
 * from the caches. So each execution begins with all operands in memory and ends with all results there, whatever the
 * sizes of the caches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/openblas.h"
#include "patterns/program/program.h"

enum { DDOT, DGEMV, DGEMM, PRODUCTS }; /* a code is a product ... */
enum { VECTORS, SCALARS, LIBRARY };    /* ... and what calculates it */
enum { N, ROWS, TIMES };               /* parameters */
enum { LANES = 4, DOUBLES_PER_LINE = PROGRAM_LINE_BYTES / sizeof(double) };

static const char *const codes[] = {"ddot",         "dgemv",         "dgemm",          "ddot_scalar",    "dgemv_scalar",
                                    "dgemm_scalar", "ddot_openblas", "dgemv_openblas", "dgemm_openblas", NULL};

/* Loops over n elements: dot product of x and y; y += a x. They use vectors or scalars. */
typedef double dot_function(const double *x, const double *y, size_t n);
typedef void add_function(double *y, const double *x, const double *a, size_t n);

struct operands {
    double *a, *b, *c; /* b is the vector x of a matrix-vector product, c its y; a dot product has no c */
    size_t a_bytes, b_bytes, c_bytes;
    struct openblas library; /* only for the codes that use it */
};

static size_t product_of(size_t code) {
    return code % PRODUCTS;
}

static size_t maker_of(size_t code) {
    return code / PRODUCTS;
}

/* All ones, so that no product is denormal. */
static double *new_ones(size_t bytes, struct error *error) {
    double *ones = program_allocate(bytes, error);
    for (size_t i = 0; ones != NULL && i < bytes / sizeof *ones; i++)
        ones[i] = 1.0;
    return ones;
}

static void release(struct program_point *point) {
    struct operands *of = point->data;
    program_free(of->a, of->a_bytes);
    program_free(of->b, of->b_bytes);
    program_free(of->c, of->c_bytes);
    free(of);
}

static int setup(struct program_point *point, struct error *error) {
    size_t n = point->parameter[N], rows = point->parameter[ROWS];
    if (n % DOUBLES_PER_LINE != 0)
        return error_set(error, "%s: N = %zu; give a multiple of %d", point->region, n, DOUBLES_PER_LINE);
    if (product_of(point->code) == DDOT && rows != 1)
        return error_set(error, "%s: %zu rows of a dot product; give 1", point->region, rows);
    struct operands *of = calloc(1, sizeof *of);
    if (of == NULL)
        return error_set(error, "no memory for operands; free some");
    point->data = of;
    of->a_bytes = rows * n * sizeof(double);
    of->b_bytes = (product_of(point->code) == DGEMM ? n : 1) * n * sizeof(double);
    of->c_bytes = rows * (product_of(point->code) == DGEMM ? n : 1) * sizeof(double);
    if (maker_of(point->code) == LIBRARY && openblas_open(&of->library, error) != 0) {
        free(of);
        return -1;
    }
    of->a = new_ones(of->a_bytes, error);
    of->b = of->a == NULL ? NULL : new_ones(of->b_bytes, error);
    of->c = of->b == NULL ? NULL : new_ones(of->c_bytes, error);
    if (of->c == NULL) {
        release(point);
        return -1;
    }
    return 0;
}

/* The following functions have one loop each: a pass is a vector, a scalar, or a call. Their instructions are counted
 * in the machine code (validate/kernel/function.h). No fused multiply-adds: events that count these once do not show
 * FLOPs. */
__attribute__((target("avx"), noinline)) static double dot_vectors(const double *x, const double *y, size_t n) {
    __m256d sum = _mm256_setzero_pd();
    const double *end = x + n;
    do {
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y)));
        x += LANES;
        y += LANES;
        __asm__("" : "+r"(x)); /* keeps the compiler from unrolling the loop */
    } while (x != end);
    double lane[LANES]; /* through memory: an instruction that extracts a half may count as a calculation */
    _mm256_storeu_pd(lane, sum);
    __asm__("" : "+m"(lane));
    return lane[0] + lane[1] + lane[2] + lane[3];
}

__attribute__((target("avx"), noinline)) static double dot_scalars(const double *x, const double *y, size_t n) {
    __m128d sum = _mm_setzero_pd();
    const double *end = x + n;
    do {
        sum = _mm_add_sd(sum, _mm_mul_sd(_mm_load_sd(x++), _mm_load_sd(y++)));
        __asm__("" : "+r"(x));
    } while (x != end);
    return _mm_cvtsd_f64(sum);
}

__attribute__((target("avx"), noinline)) static void add_vectors(double *y, const double *x, const double *a,
                                                                 size_t n) {
    const __m256d factor = _mm256_broadcast_sd(a);
    const double *end = y + n;
    do {
        _mm256_storeu_pd(y, _mm256_add_pd(_mm256_mul_pd(factor, _mm256_loadu_pd(x)), _mm256_loadu_pd(y)));
        x += LANES;
        y += LANES;
        __asm__("" : "+r"(y));
    } while (y != end);
}

__attribute__((target("avx"), noinline)) static void add_scalars(double *y, const double *x, const double *a,
                                                                 size_t n) {
    const __m128d factor = _mm_load_sd(a);
    const double *end = y + n;
    do {
        _mm_store_sd(y, _mm_add_sd(_mm_mul_sd(factor, _mm_load_sd(x++)), _mm_load_sd(y)));
        __asm__("" : "+r"(y));
    } while (++y != end);
}

/* y = A x: a pass is a row. */
__attribute__((noinline)) static void multiply_vector(const struct operands *of, size_t n, size_t rows,
                                                      dot_function *dot) {
    const double *a = of->a;
    double *y = of->c;
    do {
        *y++ = dot(a, of->b, n);
        a += n;
    } while (--rows != 0);
}

/* A row of C += A B: a pass is a row of B, times the element of A. */
__attribute__((noinline)) static void multiply_row(double *c, const double *a, const double *b, size_t n,
                                                   add_function *add) {
    const double *end = a + n;
    do {
        add(c, b, a++, n);
        b += n;
    } while (a != end);
}

__attribute__((noinline)) static void multiply_matrix(const struct operands *of, size_t n, size_t rows,
                                                      add_function *add) {
    const double *a = of->a;
    double *c = of->c;
    do {
        multiply_row(c, a, of->b, n, add);
        a += n;
        c += n;
    } while (--rows != 0);
}

static void flush(const double *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += PROGRAM_LINE_BYTES)
        _mm_clflush((const char *)data + at);
}

/* Multiplies by the loops above. */
static void multiply(const struct operands *of, size_t code, size_t n, size_t rows) {
    int scalars = maker_of(code) == SCALARS;
    if (product_of(code) == DGEMM)
        multiply_matrix(of, n, rows, scalars ? add_scalars : add_vectors);
    else
        multiply_vector(of, n, rows, scalars ? dot_scalars : dot_vectors);
}

static void multiply_by_library(const struct operands *of, size_t product, size_t n, size_t rows) {
    if (product == DGEMM)
        openblas_multiply_matrix(&of->library, of->c, of->a, of->b, n, rows);
    else if (product == DGEMV)
        openblas_multiply_vector(&of->library, of->c, of->a, of->b, n, rows);
    else
        *of->c = openblas_dot(&of->library, of->a, of->b, n);
}

static void multiply_times(const struct program_point *point, size_t thread, size_t times) {
    const struct operands *of = point->data;
    size_t n = point->parameter[N], rows = point->parameter[ROWS];
    (void)thread;
    for (size_t time = 0; time < times; time++) {
        if (maker_of(point->code) == LIBRARY)
            multiply_by_library(of, product_of(point->code), n, rows);
        else
            multiply(of, point->code, n, rows);
        flush(of->a, of->a_bytes);
        flush(of->b, of->b_bytes);
        flush(of->c, of->c_bytes);
        _mm_mfence(); /* what is flushed is in memory before the region ends */
    }
}

const struct pattern_program pattern_program = {
    .usage = "Products of doubles, all operands in memory, TIMES times: REGION CODE N ROWS TIMES\n"
             "    ddot, ddot_scalar    of two vectors of N elements; ROWS is 1\n"
             "    dgemv, dgemv_scalar  y = A x, with ROWS rows of N columns\n"
             "    dgemm, dgemm_scalar  C += A B, with ROWS rows of A, and N rows and columns of B\n"
             "    ddot_openblas, dgemv_openblas, dgemm_openblas    the same by OpenBLAS\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .repeat = multiply_times,
    .release = release,
};
