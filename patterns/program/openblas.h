/* openblas.h - products of doubles by OpenBLAS, if the machine has it. It is loaded at run time, so that building and
 * running anything else does not need it.
 *
 * It uses one thread and its kernels for Haswell, which run on all processors with AVX2 and fused multiply-adds: so
 * the same code is counted on all machines. */
#ifndef ASSAY_PROGRAM_OPENBLAS_H
#define ASSAY_PROGRAM_OPENBLAS_H

#include <stddef.h>

#include "validate/host/error.h"

#define OPENBLAS_FILE "libopenblas.so.0" /* name for dlopen() */

/* CBLAS functions of OpenBLAS. */
struct openblas {
    double (*dot)(int n, const double *x, int x_step, const double *y, int y_step);
    void (*multiply_vector)(int order, int transposed, int rows, int columns, double alpha, const double *a, int a_row,
                            const double *x, int x_step, double beta, double *y, int y_step);
    void (*multiply_matrix)(int order, int a_transposed, int b_transposed, int rows, int columns, int inner,
                            double alpha, const double *a, int a_row, const double *b, int b_row, double beta,
                            double *c, int c_row);
};

/* Loads the library for the life of the process. Returns 0, or -1 and the reason if there is none. */
int openblas_open(struct openblas *library, struct error *error);

/* The dot product of x and y; y = A x, where A is `rows` x n; C += A B, where A and C are `rows` x n and B is n x n.
 * All matrices are stored by rows. */
double openblas_dot(const struct openblas *library, const double *x, const double *y, size_t n);
void openblas_multiply_vector(const struct openblas *library, double *y, const double *a, const double *x, size_t n,
                              size_t rows);
void openblas_multiply_matrix(const struct openblas *library, double *c, const double *a, const double *b, size_t n,
                              size_t rows);

#endif
