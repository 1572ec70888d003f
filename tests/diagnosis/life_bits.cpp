// life_bits [passes] - one rule of a cellular automaton on 512 words of 64 cells: majority of a cell and its two
// neighbours.
#include "start.h"

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 1000);
    static uint64_t cells[2][768]; // half a page apart: no load has the page offset of a recent store
    uint64_t state = 1;
    for (int i = 0; i < 512; i++)
        cells[0][i] = next_random(&state);
    for (long pass = 0; pass < passes; pass++) {
        const uint64_t *from = cells[pass & 1];
        uint64_t *to = cells[~pass & 1];
        for (int i = 1; i < 511; i++) {
            uint64_t left = from[i] << 1 | from[i - 1] >> 63, right = from[i] >> 1 | from[i + 1] << 63;
            to[i] = (left & right) ^ (from[i] & (left ^ right));
        }
    }
    print_integer(cells[0][100] ^ cells[1][200]);
}
