/* merge_half_rows [thousand steps] - both halves of a lattice row are written as 16 bytes each, then the row is read as
 * 32 bytes. */
#include "start.h"
#include <immintrin.h>

int main(int argc, char **argv) {
    long steps = argument(argc, argv, 1, 2500) * 1000;
    char *rows = (char *)pages(4096);
    __m256i row = _mm256_set_epi64x(4, 3, 2, 1), step = _mm256_set_epi64x(3, 1, 7, 5);
    /* 16 rows of a line each, in turn. */
    for (long i = 0; i < steps; i++) {
        char *at = rows + i % 16 * 64;
        _mm_store_si128((__m128i *)(void *)at, _mm256_castsi256_si128(row));
        _mm_store_si128((__m128i *)(void *)(at + 16), _mm256_extracti128_si256(row, 1));
        OPAQUE(at); /* keeps both stores and the load */
        row = _mm256_add_epi64(step, _mm256_load_si256((const __m256i *)(const void *)at));
    }
    longs sums = (longs)row;
    print_integer((uint64_t)(sums[0] + sums[1] + sums[2] + sums[3]));
}
