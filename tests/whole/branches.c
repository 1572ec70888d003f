/* branches.c PASSES - three regions, of branches of one kind each: "rare", one conditional branch of 64 is taken, by
 * chance; "calls", of a function that returns; "targets", the same by pointers to four of them, by chance.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <stdint.h>
#include <stdlib.h>

/* xorshift64: a full-period generator. */
static inline uint64_t next_random(uint64_t x) {
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

/* Forty branches per pass, so that the loop's own branch is a small share. Each jumps over one instruction. */
static uint64_t rare(long passes, uint64_t x) {
    for (long pass = 0; pass < passes; pass++)
        __asm__ volatile(".rept 40\n"
                         "mov %0, %%rax\n shl $13, %%rax\n xor %%rax, %0\n"
                         "mov %0, %%rax\n shr $7, %%rax\n xor %%rax, %0\n"
                         "mov %0, %%rax\n shl $17, %%rax\n xor %%rax, %0\n"
                         "test $63, %b0\n jz 1f\n nop\n 1:\n"
                         ".endr"
                         : "+q"(x)
                         :
                         : "rax", "cc");
    return x;
}

#define FUNCTION(name)                                                                                                 \
    static __attribute__((noinline)) void name(void) {                                                                 \
        __asm__ volatile("");                                                                                          \
    }
FUNCTION(one)
FUNCTION(two)
FUNCTION(three)
FUNCTION(four)

static void calls(long passes) {
    for (long pass = 0; pass < passes; pass++)
        one();
}

static void targets(long passes, uint64_t x) {
    static void (*const volatile functions[])(void) = {one, two, three, four};
    for (long pass = 0; pass < passes; pass++) {
        x = next_random(x);
        functions[x >> 62]();
    }
}

int main(int argc, char **argv) {
    long passes = argc > 1 ? atol(argv[1]) : 1000;
    uint64_t x = 88172645463325252;
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_START("rare");
    x = rare(passes, x);
    LIKWID_MARKER_STOP("rare");
    LIKWID_MARKER_START("calls");
    calls(passes);
    LIKWID_MARKER_STOP("calls");
    LIKWID_MARKER_START("targets");
    targets(passes, x);
    LIKWID_MARKER_STOP("targets");
    LIKWID_MARKER_CLOSE;
    return 0;
}
