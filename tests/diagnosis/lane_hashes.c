/* lane_hashes [passes] - FNV-1a over 12 KiB of a column store, eight rows of 32 bits side by side. */
#include "start.h"

typedef uint32_t words __attribute__((vector_size(32)));

enum { VECTORS = 384 };

static words hash(const words *column, words state) {
    const words prime = {16777619, 16777619, 16777619, 16777619, 16777619, 16777619, 16777619, 16777619};
    for (int i = 0; i < VECTORS; i++)
        state = (state ^ column[i]) * prime;
    return state;
}

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 12000);
    words *column = (words *)pages(VECTORS * sizeof *column);
    for (uint32_t i = 0; i < VECTORS; i++)
        column[i] = (words){i, i * 3, i * 5, i * 7, i * 9, i * 11, i * 13, i * 15};
    words state = {2166136261, 1, 2, 3, 4, 5, 6, 7};
    for (long pass = 0; pass < passes; pass++) {
        OPAQUE(column);
        state = hash(column, state);
    }
    print_integer((uint64_t)state[0] + state[3] + state[7]);
}
