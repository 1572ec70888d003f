/* passes.c - a user's program with two marker regions, one of N passes of a loop and one of N + 100.
 *
 * usage: passes N. The loop is assembly, so that the compiler has no say. The names of the regions are of one length
 * and a region comes before them, because what LIKWID itself does inside a region (looking up its name, binding its own
 * functions at their first call) would differ otherwise. SPDX-License-Identifier: GPL-3.0-or-later */
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
    uint64_t passes = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    if (passes == 0)
        return 2;
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_START("warm");
    LIKWID_MARKER_STOP("warm");
    LIKWID_MARKER_START("less");
    uint64_t few = spin(passes);
    LIKWID_MARKER_STOP("less");
    LIKWID_MARKER_START("more");
    uint64_t more = spin(passes + 100);
    LIKWID_MARKER_STOP("more");
    LIKWID_MARKER_CLOSE;
    return more - few == 100 ? 0 : 1;
}
