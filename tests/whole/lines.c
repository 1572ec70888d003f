/* lines.c - lines PASSES [FILE]: loads each line of 8 MB, in 7 instructions a line. Makes FILE after the first pass.
 *
 * Closed form of a pass: 131072 lines into L1, 7 * 131072 instructions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

static volatile char memory[1 << 23];

static void pass(void) {
    const volatile char *at = memory, *end = memory + sizeof memory;
    __asm__ volatile("1: movzbl (%0), %%eax; nop; nop; nop; add $64, %0; cmp %1, %0; jb 1b"
                     : "+r"(at)
                     : "r"(end)
                     : "eax", "memory");
}

int main(int argc, char **argv) {
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
        pass();
        if (i == 0 && argc > 2)
            fclose(fopen(argv[2], "w"));
    }
    return 0;
}
