/* straight_code [passes] - 32768 additions without a branch, 224 KiB of code, executed again and again; four chains. */
#include "start.h"

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 500);
    uint64_t a = 1, b = 2, c = 3, d = 4;
    for (long i = 0; i < passes; i++)
        __asm__ volatile(".rept 8192\n\t"
                         "add $0x1234567, %0\n\t"
                         "xor $0x7654321, %1\n\t"
                         "add $0x1357911, %2\n\t"
                         "xor $0x2468101, %3\n\t"
                         ".endr"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    print_integer(a + b + c + d);
}
