/* bishop_mobility [thousand positions] - chess: counts the moves of a bishop for each position; a product with a magic
 * number finds the attacks in a table. */
#include "start.h"

enum { POSITIONS = 512, ATTACKS = 256 };

struct square {
    uint64_t mask, magic;
};

int main(int argc, char **argv) {
    long positions = argument(argc, argv, 1, 1900) * 1000;
    /* 4 KiB of positions, 2 + 1 KiB of tables: all in L1. */
    uint64_t *occupied = (uint64_t *)pages(POSITIONS * 8), *attacks = (uint64_t *)pages(ATTACKS * 8), state = 4711;
    struct square *squares = (struct square *)pages(64 * sizeof *squares);
    for (int i = 0; i < POSITIONS; i++)
        occupied[i] = next_random(&state) & next_random(&state);
    for (int i = 0; i < ATTACKS; i++)
        attacks[i] = next_random(&state);
    for (int i = 0; i < 64; i++) {
        squares[i].mask = next_random(&state);
        squares[i].magic = next_random(&state) | 1;
    }
    uint64_t moves = 0, covered = 0;
    for (long i = 0; i < positions; i++) {
        uint64_t board = occupied[i % POSITIONS & (POSITIONS - 1)];
        const struct square *square = &squares[(board >> 9 ^ (uint64_t)i) & 63];
        uint64_t reached = attacks[(board & square->mask) * square->magic >> 56] & ~board;
        OPAQUE(reached); /* one position after the other */
        moves += (uint64_t)__builtin_popcountll(reached);
        covered ^= reached;
    }
    print_integer(moves + covered % 1000003);
}
