/* openblas.c - the library's functions, by name. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/openblas.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { ROW_MAJOR = 101, AS_IT_IS = 111 }; /* of the CBLAS interface */

/* Stores the address of the symbol in a pointer to a function, which POSIX allows. */
static int find(void *handle, const char *name, void *function, struct error *error) {
    void *address = dlsym(handle, name);
    if (address == NULL)
        return error_set(error, "%s has no %s; install OpenBLAS with CBLAS", OPENBLAS_FILE, name);
    *(void **)function = address;
    return 0;
}

int openblas_open(struct openblas *library, struct error *error) {
    setenv("OPENBLAS_CORETYPE", "Haswell", 1); /* both are read when it is loaded */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *handle = dlopen(OPENBLAS_FILE, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return error_set(error, "%s; install OpenBLAS (./deps.sh --test names its package)", dlerror());
    int missing = find(handle, "cblas_ddot", &library->dot, error) != 0 ||
                  find(handle, "cblas_dgemv", &library->multiply_vector, error) != 0 ||
                  find(handle, "cblas_dgemm", &library->multiply_matrix, error) != 0;
    return missing ? -1 : 0;
}

double openblas_dot(const struct openblas *library, const double *x, const double *y, size_t n) {
    return library->dot((int)n, x, 1, y, 1);
}

void openblas_multiply_vector(const struct openblas *library, double *y, const double *a, const double *x, size_t n,
                              size_t rows) {
    library->multiply_vector(ROW_MAJOR, AS_IT_IS, (int)rows, (int)n, 1.0, a, (int)n, x, 1, 0.0, y, 1);
}

void openblas_multiply_matrix(const struct openblas *library, double *c, const double *a, const double *b, size_t n,
                              size_t rows) {
    library->multiply_matrix(ROW_MAJOR, AS_IT_IS, AS_IT_IS, (int)rows, (int)n, (int)n, 1.0, a, (int)n, b, (int)n, 1.0,
                             c, (int)n);
}
