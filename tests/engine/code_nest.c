/* code_nest.c - CODE_LINES lines of code, then a stream through KILOBYTES of memory, PASSES times.
 *
 *   code_nest PASSES KILOBYTES
 *
 * For comparisons of instruction cache misses; prints nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

/* 200 lines with one instruction and the assembler's padding in each, and a line for the return. */
void code(void);
__asm__(".text\n.p2align 6\n.globl code\ncode:\n.rept 200\nnop\n.p2align 6\n.endr\nret\n.p2align 6\n");

int main(int argc, char **argv) {
    enum { LINE = 64, KILO = 1024 };
    if (argc != 3)
        return 2;
    size_t passes = strtoul(argv[1], NULL, 10), size = strtoul(argv[2], NULL, 10) * KILO;
    volatile char *data = calloc(size, 1);
    if (!data)
        return 2;
    for (size_t pass = 0; pass < passes; pass++) {
        code();
        for (size_t at = 0; at < size; at += LINE)
            (void)data[at];
    }
    return 0;
}
