/* decode_tokens [passes] - copies blocks of 32 bytes from literals or from 1 to 3 KiB back, chosen without a branch. */
#include "start.h"

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 2500);
    longs *out = (longs *)pages(16384), *literals = (longs *)pages(4096);
    static uint8_t tokens[384];
    for (int i = 0; i < 384; i++)
        tokens[i] = (uint8_t)(i * 37 % 96);
    for (int i = 0; i < 128; i++)
        out[i] = literals[i] = (longs){i, 2, 3, 4};
    for (long pass = 0; pass < passes; pass++) {
        for (long i = 0; i < 384; i++) {
            const longs *back = out + 128 + i - 32 - tokens[i], *literal = literals + (i & 127);
            uintptr_t mask = -(uintptr_t)(tokens[i] & 1);
            const longs *from = (const longs *)(((uintptr_t)back & mask) | ((uintptr_t)literal & ~mask));
            out[128 + i] = *from;
        }
        OPAQUE(out);
    }
    print_integer((uint64_t)out[511][0]);
}
