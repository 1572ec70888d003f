/* gradient.c ROWS PER_ROW ITERATIONS - conjugate gradients on a sparse symmetric matrix of random places, by OpenMP
 * threads, each its own rows. Between the phases threads wait, spinning or not (OMP_WAIT_POLICY). The region "work" is
 * the product of matrix and vector, without the waiting.
 *
 * Closed form, per thread of T: a product reads 8 bytes of value and 4 of place for each entry, once from end to end,
 * from beyond L2; the vectors stay in L1, but for what each product must fetch of what other threads wrote (the
 * direction: 8 bytes a row, all rows) and of its own (row starts, result: 12 bytes a row):
 *     lines into L1 = ITERATIONS * (12 * PER_ROW * ROWS / T + 8 * ROWS + 12 * ROWS / T) / 64
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    long rows;
    int *start, *place;
    double *value;
};

/* result = matrix * vector for the rows from `first`. Not inlined: callgrind counts this function's instructions. */
void work(const struct matrix *m, const double *vector, double *result, long first, long end);

__attribute__((noinline)) void work(const struct matrix *m, const double *vector, double *result, long first,
                                    long end) {
    for (long row = first; row < end; row++) {
        double sum = 0;
        for (int i = m->start[row]; i < m->start[row + 1]; i++)
            sum += m->value[i] * vector[m->place[i]];
        result[row] = sum;
    }
}

/* A large diagonal and small random entries: positive definite enough for some iterations. */
static struct matrix make(long rows, long per_row) {
    struct matrix m = {rows, malloc(((size_t)rows + 1) * sizeof(int)), malloc((size_t)(rows * per_row) * sizeof(int)),
                       malloc((size_t)(rows * per_row) * sizeof(double))};
    unsigned random = 1;
    for (long row = 0; row <= rows; row++)
        m.start[row] = (int)(row * per_row);
    for (long i = 0; i < rows * per_row; i++) {
        random = random * 1664525u + 1013904223u;
        m.place[i] = i % per_row == 0 ? (int)(i / per_row) : (int)((random >> 8) % (unsigned long)rows);
        m.value[i] = i % per_row == 0 ? 2.0 * (double)per_row : 0.01;
    }
    return m;
}

int main(int argc, char **argv) {
    long rows = argc > 3 ? atol(argv[1]) : 1024, per_row = argc > 3 ? atol(argv[2]) : 128;
    long iterations = argc > 3 ? atol(argv[3]) : 10;
    struct matrix m = make(rows, per_row);
    double *x = calloc((size_t)rows, sizeof *x), *r = malloc((size_t)rows * sizeof *r);
    double *p = malloc((size_t)rows * sizeof *p), *q = malloc((size_t)rows * sizeof *q);
    double rho = 0, scale = 0;
    for (long i = 0; i < rows; i++)
        rho += (r[i] = p[i] = 1);
    LIKWID_MARKER_INIT;
#pragma omp parallel
    {
        LIKWID_MARKER_REGISTER("work");
        long thread = omp_get_thread_num(), threads = omp_get_num_threads();
        long first = rows * thread / threads, end = rows * (thread + 1) / threads;
        for (long n = 0; n < iterations; n++) {
#pragma omp barrier
            LIKWID_MARKER_START("work");
            work(&m, p, q, first, end);
            LIKWID_MARKER_STOP("work");
#pragma omp single
            scale = 0;
#pragma omp for reduction(+ : scale)
            for (long i = 0; i < rows; i++)
                scale += p[i] * q[i];
            double alpha = rho / scale;
#pragma omp barrier
#pragma omp single
            scale = 0;
#pragma omp for reduction(+ : scale)
            for (long i = 0; i < rows; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                scale += r[i] * r[i];
            }
            double beta = scale / rho;
#pragma omp for
            for (long i = 0; i < rows; i++)
                p[i] = r[i] + beta * p[i];
#pragma omp single
            rho = scale;
        }
    }
    LIKWID_MARKER_CLOSE;
    printf("%g %g\n", x[0], rho);
    return 0;
}
