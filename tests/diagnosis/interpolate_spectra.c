/* interpolate_spectra [thousand values] - linear interpolation in a table of 48 temperatures, four bands a vector. */
#include "start.h"
#include <immintrin.h>

enum { ENTRIES = 48, KEYS = 128, OUT = 64 };

/* One page; results have other page offsets than keys and table. */
struct cell {
    doubles table[ENTRIES], results[OUT];
    uint32_t keys[KEYS];
};

int main(int argc, char **argv) {
    long values = argument(argc, argv, 1, 2000) * 1000;
    struct cell *cell = (struct cell *)pages(sizeof *cell);
    for (int i = 0; i < ENTRIES; i++)
        cell->table[i] = (doubles){1, 2, 3, 4} * (double)(i * i);
    for (uint32_t i = 0; i < KEYS; i++)
        cell->keys[i] = i * 2654435761u % ((ENTRIES - 1) << 16);
    for (long i = 0; i < values; i++) {
        uint32_t key = cell->keys[i & (KEYS - 1)];
        doubles part = (doubles)_mm256_cvtepi32_pd(_mm_set1_epi32((int)(key & 65535))) / 65536;
        const doubles *entry = cell->table + (key >> 16);
        cell->results[i & (OUT - 1)] = entry[0] + part * (entry[1] - entry[0]);
    }
    print_double(sum_of(cell->results[1] + cell->results[60]));
}
