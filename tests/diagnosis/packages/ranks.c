/* ranks.c - MPI processes sum up a vector in L1: ranks PASSES TIMES. The last one makes TIMES times the passes of each
 * other. SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef double lanes __attribute__((vector_size(32)));

enum { N = 256 };

int main(int argc, char **argv) {
    static lanes values[N];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int passes = argc == 3 ? atoi(argv[1]) * (rank == ranks - 1 ? atoi(argv[2]) : 1) : 0;
    for (int i = 0; i < N; i++)
        values[i] = (lanes){1, 2, 3, 4};
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_START("sums");
    for (int pass = 0; pass < passes; pass++)
        for (int i = 0; i < N; i += 4) {
            a += values[i];
            b += values[i + 1];
            c += values[i + 2];
            d += values[i + 3];
        }
    LIKWID_MARKER_STOP("sums");
    LIKWID_MARKER_CLOSE;
    a += b + c + d;
    double own = a[0] + a[1] + a[2] + a[3], all = 0;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
