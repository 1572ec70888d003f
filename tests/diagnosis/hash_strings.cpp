// hash_strings [passes] - multiplicative hashes of 64 texts at once: eight vectors of eight 32-bit lanes, 16 KiB of
// words.
#include "start.h"

typedef uint32_t words __attribute__((vector_size(32)));

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 10000);
    words *text = static_cast<words *>(pages(16384)), hash[8] = {};
    for (uint32_t i = 0; i < 512; i++)
        text[i] = words{i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7};
    for (long pass = 0; pass < passes; pass++)
        for (int i = 0; i < 512; i += 8)
#pragma GCC unroll 8
            for (int lane = 0; lane < 8; lane++)
                hash[lane] = (hash[lane] ^ text[i + lane]) * 16777619u;
    words sum = hash[0] ^ hash[1] ^ hash[2] ^ hash[3] ^ hash[4] ^ hash[5] ^ hash[6] ^ hash[7];
    print_integer(sum[0] ^ sum[7]);
}
