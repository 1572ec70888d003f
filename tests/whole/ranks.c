/* ranks.c ELEMENTS SWEEPS - each MPI rank sums its own array, and all ranks add up their sums once. The region "work"
 * is the summing, without MPI.
 *
 * Closed form, per rank: lines into L1 = lines into L2 = SWEEPS * ELEMENTS / 8, of an array larger than L2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Not inlined: callgrind counts the instructions of this function. */
double work(const double *array, long elements);

__attribute__((noinline)) double work(const double *array, long elements) {
    double sum = 0;
    for (long i = 0; i < elements; i++)
        sum += array[i];
    return sum;
}

int main(int argc, char **argv) {
    long elements = argc > 2 ? atol(argv[1]) : 1 << 17, sweeps = argc > 2 ? atol(argv[2]) : 20;
    int rank;
    double sum = 0, all = 0, *array = aligned_alloc(4096, (size_t)elements * sizeof *array);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    LIKWID_MARKER_INIT;
    for (long i = 0; i < elements; i++)
        array[i] = rank + 1;
    LIKWID_MARKER_REGISTER("work");
    LIKWID_MARKER_START("work");
    for (long n = 0; n < sweeps; n++)
        sum += work(array, elements);
    LIKWID_MARKER_STOP("work");
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    LIKWID_MARKER_CLOSE;
    MPI_Finalize();
    return 0;
}
