/* morton_keys [thousand particles] - interleaves the bits of three coordinates of 16 bits by a table of 256 words. */
#include "start.h"

enum { PARTICLES = 256 };

/* Two pages; keys have other page offsets than table and coordinates. */
struct set {
    uint64_t spread[256], keys[PARTICLES];
    uint16_t x[PARTICLES], y[PARTICLES], z[PARTICLES];
};

int main(int argc, char **argv) {
    long particles = argument(argc, argv, 1, 1000) * 1000;
    struct set *set = (struct set *)pages(sizeof *set);
    for (unsigned i = 0; i < 256; i++) {
        set->spread[i] = 0;
        for (unsigned bit = 0; bit < 8; bit++)
            set->spread[i] |= (uint64_t)(i >> bit & 1) << 3 * bit;
        set->x[i] = (uint16_t)(i * 40503);
        set->y[i] = (uint16_t)(i * 30011);
        set->z[i] = (uint16_t)(i * 9973);
    }
    const uint64_t *spread = set->spread;
    for (long i = 0; i < particles; i++) {
        long at = i & (PARTICLES - 1);
        unsigned x = set->x[at], y = set->y[at], z = set->z[at];
        uint64_t low = spread[x & 255] | spread[y & 255] << 1 | spread[z & 255] << 2;
        uint64_t high = spread[x >> 8] | spread[y >> 8] << 1 | spread[z >> 8] << 2;
        set->keys[at] = high << 24 | low;
        OPAQUE(set);
    }
    uint64_t sum = 0;
    for (int i = 0; i < PARTICLES; i++)
        sum ^= set->keys[i] * (uint64_t)(i + 1);
    print_integer(sum);
}
