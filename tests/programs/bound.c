/* bound.c - an OpenMP program with two marker regions. In A each thread makes 10000 passes of a loop; in B thread t
 * makes 10000 * (t + 1) more. Prints the core of each thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

enum { PASSES = 10000, THREADS_MAX = 64 };

static uint64_t word = 1;

/* Per pass: add (which loads), dec, jnz. */
static void spin(uint64_t passes) {
    uint64_t sum = 0;
    __asm__ volatile("1: add %[word], %[sum]\n\t"
                     "dec %[passes]\n\t"
                     "jnz 1b"
                     : [sum] "+r"(sum), [passes] "+r"(passes)
                     : [word] "m"(word)
                     : "cc");
}

static void measure(const char *region, uint64_t passes) {
    (void)region; /* without LIKWID_PERFMON */
    LIKWID_MARKER_START(region);
    spin(passes);
    LIKWID_MARKER_STOP(region);
}

int main(void) {
    int core[THREADS_MAX], threads = 0;
    LIKWID_MARKER_INIT;
#pragma omp parallel
    {
        int self = omp_get_thread_num();
        core[self] = sched_getcpu();
        if (self == 0)
            threads = omp_get_num_threads();
        LIKWID_MARKER_THREADINIT;
        /* then LIKWID's work for a region's first entry is not counted in it */
        LIKWID_MARKER_REGISTER("A");
        LIKWID_MARKER_REGISTER("B");
#pragma omp barrier
        measure("A", PASSES);
        measure("B", PASSES * ((uint64_t)self + 2));
    }
    LIKWID_MARKER_CLOSE;
    for (int i = 0; i < threads; i++)
        printf("%d%s", core[i], i + 1 < threads ? " " : "\n");
    return 0;
}
