/* phases.c - an MPI and OpenMP program with two marked phases; in one of them one thread of one rank is slow.
 *
 * sweep: every thread counts up bytes of lines one after the other, STEPS of them: lines of SMALL bytes, which stay in
 * L1, but the last thread of the last rank of LARGE bytes, more than all caches hold, so that it misses in each step.
 * sort: branches on random numbers, half of them taken.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

enum { LINE = 64, SMALL = 8 << 10, LARGE = 16 << 20, STEPS = 200000, NUMBERS = 20000 };

static void sweep(volatile unsigned char *lines, size_t size) {
    size_t at = 0;
    for (int step = 0; step < STEPS; step++) {
        lines[at]++;
        at = at + LINE < size ? at + LINE : 0;
    }
}

static unsigned sort(unsigned seed) {
    unsigned taken = 0;
    for (int i = 0; i < NUMBERS; i++) {
        seed = seed * 1103515245u + 12345u;
        if (seed & 0x10000)
            __asm__ volatile("incl %0" : "+r"(taken));
    }
    return taken;
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    LIKWID_MARKER_INIT;
#pragma omp parallel
    {
        int is_last = rank == ranks - 1 && omp_get_thread_num() == omp_get_num_threads() - 1;
        size_t size = is_last ? LARGE : SMALL;
        unsigned char *lines = calloc(1, size);
        LIKWID_MARKER_REGISTER("sweep");
        LIKWID_MARKER_REGISTER("sort");
        LIKWID_MARKER_START("sweep");
        sweep(lines, size);
        LIKWID_MARKER_STOP("sweep");
#pragma omp barrier
        LIKWID_MARKER_START("sort");
        unsigned taken = sort((unsigned)rank);
        LIKWID_MARKER_STOP("sort");
        if (taken == 0)
            abort();
        free(lines);
    }
    LIKWID_MARKER_CLOSE;
    MPI_Finalize();
    return 0;
}
