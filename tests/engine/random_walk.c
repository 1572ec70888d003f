/* random_walk.c - random accesses to LINES lines, STORES of 8 of them stores, the others loads: the same ones in every
 * run. Three of four go to a sixteenth of the lines, so that lines come again after few others and after many.
 *
 *   random_walk ACCESSES LINES STORES
 *
 * For comparisons of cache misses; prints nothing. All accesses of the walk itself are within a line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    enum { LINE = 64, PAGE = 4096, NEAR = 16 };
    if (argc != 4)
        return 2;
    uint64_t accesses = strtoull(argv[1], NULL, 10), lines = strtoull(argv[2], NULL, 10);
    uint64_t stores = strtoull(argv[3], NULL, 10);
    char *data = aligned_alloc(PAGE, (lines * LINE + PAGE - 1) / PAGE * PAGE);
    if (!data || lines < NEAR)
        return 2;
    uint64_t x = UINT64_C(88172645463325252);
    for (uint64_t i = 0; i < accesses; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        uint64_t among = x & 3 ? lines / NEAR : lines;
        volatile uint64_t *word = (volatile uint64_t *)(void *)(data + (x >> 20) % among * LINE);
        if ((x >> 2 & 7) < stores)
            *word = x;
        else
            (void)*word;
    }
    return 0;
}
