/* sweeps.c ELEMENTS SWEEPS - copy, scale, add and triad over long arrays of doubles; each OpenMP thread does its own
 * part. The region "work" is the arithmetic of each thread, without its waiting.
 *
 * Closed form, per thread of T: a sweep touches 2 + 2 + 3 + 3 arrays from end to end, each line of 8 elements is
 * brought into L1 (stores allocate), and the arrays are larger than all caches:
 *     lines into L1 = lines into L2 = 10 * SWEEPS * ELEMENTS / 8 / T
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* One sweep over the elements from `first`. Not inlined: callgrind counts this function's instructions. */
void work(double *a, double *b, double *c, long first, long end);

__attribute__((noinline)) void work(double *a, double *b, double *c, long first, long end) {
    for (long i = first; i < end; i++)
        c[i] = a[i];
    for (long i = first; i < end; i++)
        b[i] = 3 * c[i];
    for (long i = first; i < end; i++)
        c[i] = a[i] + b[i];
    for (long i = first; i < end; i++)
        a[i] = b[i] + 3 * c[i];
}

int main(int argc, char **argv) {
    long elements = argc > 2 ? atol(argv[1]) : 1 << 20, sweeps = argc > 2 ? atol(argv[2]) : 2;
    double *a = aligned_alloc(4096, (size_t)elements * sizeof *a);
    double *b = aligned_alloc(4096, (size_t)elements * sizeof *b);
    double *c = aligned_alloc(4096, (size_t)elements * sizeof *c);
    if (!a || !b || !c)
        return 1;
    LIKWID_MARKER_INIT;
#pragma omp parallel
    {
        LIKWID_MARKER_REGISTER("work");
        long thread = omp_get_thread_num(), threads = omp_get_num_threads();
        long first = elements * thread / threads, end = elements * (thread + 1) / threads;
        for (long i = first; i < end; i++)
            a[i] = b[i] = c[i] = 1;
#pragma omp barrier
        LIKWID_MARKER_START("work");
        for (long n = 0; n < sweeps; n++)
            work(a, b, c, first, end);
        LIKWID_MARKER_STOP("work");
    }
    LIKWID_MARKER_CLOSE;
    printf("%g\n", a[elements / 2]);
    return 0;
}
