/* products.c - dot products, matrix-vector products and products of matrices in plain scalar loops, single and double
 * precision. The second matrix of a product is transposed, so that each element is a dot product. The codes `_memory`
 * flush all operands from the caches after each time, so that operands come from memory and results get there. Their
 * product of matrices has MEMORY_ROWS rows, enough to show how often the other matrix is read.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { SDOT, SGEMV, SGEMM, DDOT, DGEMV, DGEMM, DDOT_MEMORY, DGEMV_MEMORY, DGEMM_MEMORY };
enum { N, TIMES };        /* parameters */
enum { MEMORY_ROWS = 2 }; /* rows of the first matrix in products_dgemm_memory */

static const char *const codes[] = {
    "products_sdot",  "products_sgemv",       "products_sgemm",        "products_ddot",         "products_dgemv",
    "products_dgemm", "products_ddot_memory", "products_dgemv_memory", "products_dgemm_memory", NULL};

/* *sum += x y of n elements. */
typedef void dot_product(void *sum, const void *x, const void *y, size_t n);

struct products {
    size_t n, element, row; /* elements of a row; bytes of one, and of a row */
    dot_product *dot;
    char *a, *b, *c;
    size_t a_bytes, b_bytes, c_bytes;
};

/* assay counts these from their machine code (validate/kernel/function.h): a pass is two operations, or a call. */
__attribute__((noinline)) static void products_of_singles(void *sum, const void *x, const void *y, size_t n) {
    const float *of = x, *by = y;
    float added = *(float *)sum;
    do {
        added += *of++ * *by++;
        __asm__("" : "+r"(of)); /* keeps the compiler from unrolling the loop */
    } while (--n != 0);
    *(float *)sum = added;
}

__attribute__((noinline)) static void products_of_doubles(void *sum, const void *x, const void *y, size_t n) {
    const double *of = x, *by = y;
    double added = *(double *)sum;
    do {
        added += *of++ * *by++;
        __asm__("" : "+r"(of));
    } while (--n != 0);
    *(double *)sum = added;
}

/* c += A b; c is a row. */
__attribute__((noinline)) static void products_of_vector(const struct products *of, const char *b, char *c) {
    const char *a = of->a;
    const size_t n = of->n;
    size_t rows = n;
    do {
        of->dot(c, a, b, n);
        a += of->row;
        c += of->element;
    } while (--rows != 0);
}

__attribute__((noinline)) static void products_of_matrix(const struct products *of) {
    const char *b = of->b;
    char *c = of->c;
    size_t n = of->n;
    do {
        products_of_vector(of, b, c);
        b += of->row;
        c += of->row;
    } while (--n != 0);
}

__attribute__((noinline)) static void products_dot(const struct products *of, size_t times) {
    do {
        of->dot(of->c, of->a, of->b, of->n);
    } while (--times != 0);
}

__attribute__((noinline)) static void products_gemv(const struct products *of, size_t times) {
    do {
        products_of_vector(of, of->b, of->c);
    } while (--times != 0);
}

__attribute__((noinline)) static void products_gemm(const struct products *of, size_t times) {
    do {
        products_of_matrix(of);
    } while (--times != 0);
}

static void flush(const char *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += PROGRAM_LINE_BYTES)
        _mm_clflush(data + at);
}

static void products_in_memory(const struct products *of, size_t code, size_t times) {
    for (; times != 0; times--) {
        if (code == DDOT_MEMORY)
            of->dot(of->c, of->a, of->b, of->n);
        for (size_t at = 0; code != DDOT_MEMORY && at < of->b_bytes; at += of->row)
            products_of_vector(of, of->b + at, of->c + at);
        flush(of->a, of->a_bytes);
        flush(of->b, of->b_bytes);
        flush(of->c, of->c_bytes);
        _mm_mfence(); /* flushed lines are in memory before the region ends */
    }
}

/* Matrices of n rows. The large ones in memory have only the rows that are used. */
static void size_operands(struct products *of, size_t code) {
    of->a_bytes = of->b_bytes = of->c_bytes = of->n * of->row;
    if (code < DDOT_MEMORY)
        return;
    of->a_bytes = code == DDOT_MEMORY ? of->row : of->n * of->row;
    of->b_bytes = code == DGEMM_MEMORY ? MEMORY_ROWS * of->row : of->row;
    of->c_bytes = code == DDOT_MEMORY ? of->element : of->b_bytes;
}

static void release(struct program_point *point) {
    struct products *of = point->data;
    program_free(of->a, of->a_bytes);
    program_free(of->b, of->b_bytes);
    program_free(of->c, of->c_bytes);
    free(of);
}

/* Sets all elements to 0. */
static int setup(struct program_point *point, struct error *error) {
    struct products *of = calloc(1, sizeof *of);
    if (of == NULL)
        return error_set(error, "no memory for matrices; free some");
    point->data = of;
    of->n = point->parameter[N];
    of->element = point->code < DDOT ? sizeof(float) : sizeof(double);
    of->row = of->n * of->element;
    of->dot = point->code < DDOT ? products_of_singles : products_of_doubles;
    size_operands(of, point->code);
    of->a = program_allocate(of->a_bytes, error);
    of->b = of->a == NULL ? NULL : program_allocate(of->b_bytes, error);
    of->c = of->b == NULL ? NULL : program_allocate(of->c_bytes, error);
    if (of->c == NULL) {
        release(point);
        return -1;
    }
    return 0;
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    static void (*const go[])(const struct products *,
                              size_t) = {[SDOT] = products_dot, [SGEMV] = products_gemv, [SGEMM] = products_gemm,
                                         [DDOT] = products_dot, [DGEMV] = products_gemv, [DGEMM] = products_gemm};
    if (point->code < DDOT_MEMORY)
        go[point->code](point->data, times);
    else
        products_in_memory(point->data, point->code, times);
}

const struct pattern_program probe_products = {
    .usage = "Products of vectors and square matrices of N rows and columns, TIMES times:\n"
             "REGION products_sdot|products_sgemv|products_sgemm|products_ddot|products_dgemv|products_dgemm N TIMES\n"
             "The same with all operands in memory, of two rows of a product of matrices; N is a multiple of 8:\n"
             "REGION products_ddot_memory|products_dgemv_memory|products_dgemm_memory N TIMES\n",
    .codes = codes,
    .parameters = 2,
    .lasting = 1,
    .threads = 1,
    .setup = setup,
    .repeat = repeat,
    .release = release,
};
