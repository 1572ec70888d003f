/* passes.c - a user's program with two marker regions, A of N passes of a loop and B of M.
 *
 * usage: passes N M. The loop is assembly, so that all compilers make the same code. A region comes before the two
 * because the first one of a process costs LIKWID more. SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t word = 1;

/* Per pass: add (which loads), dec, jnz. */
static uint64_t spin(uint64_t passes) {
    uint64_t sum = 0;
    __asm__ volatile("1: add %[word], %[sum]\n\t"
                     "dec %[passes]\n\t"
                     "jnz 1b"
                     : [sum] "+r"(sum), [passes] "+r"(passes)
                     : [word] "m"(word)
                     : "cc");
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    uint64_t n = strtoull(argv[1], NULL, 10), m = strtoull(argv[2], NULL, 10);
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_START("C");
    LIKWID_MARKER_STOP("C");
    LIKWID_MARKER_START("A");
    uint64_t first = spin(n);
    LIKWID_MARKER_STOP("A");
    LIKWID_MARKER_START("B");
    uint64_t second = spin(m);
    LIKWID_MARKER_STOP("B");
    LIKWID_MARKER_CLOSE;
    return first == n && second == m ? 0 : 1;
}
