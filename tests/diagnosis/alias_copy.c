/* alias_copy [passes] - copies 8 KiB in L1; each load has the low 12 address bits of the store before it. */
#include "start.h"

enum { VECTORS = 256 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 6000);
    char *memory = (char *)pages(8 * 4096);
    longs *from = (longs *)(void *)memory, *to = (longs *)(void *)(memory + 12288 + 32);
    for (int i = 0; i < VECTORS; i++)
        from[i] = (longs){i, 1, 2, 3};
    longs one = {1, 1, 1, 1};
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++) {
            to[i] = from[i] + one;
            OPAQUE(to);
        }
    }
    print_integer((uint64_t)(to[VECTORS - 1][0] + to[7][0]));
}
