/* packed_records [passes] - adds up 32-byte vectors that each cross the end of a line: 255 records of 64 bytes in L1.
 */
#include "start.h"
#include <immintrin.h>

enum { RECORDS = 256, OFFSET = 40 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 20000);
    char *records = (char *)pages(RECORDS * 64);
    for (int i = 0; i < RECORDS * 8; i++)
        ((int64_t *)(void *)records)[i] = i;
    __m256i even = _mm256_setzero_si256(), odd = even;
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < RECORDS - 2; i += 2) {
            const char *at = records + 64 * i + OFFSET;
            even = _mm256_add_epi64(even, _mm256_loadu_si256((const __m256i *)(const void *)at));
            odd = _mm256_add_epi64(odd, _mm256_loadu_si256((const __m256i *)(const void *)(at + 64)));
        }
        OPAQUE(records);
    }
    longs sum = (longs)(even + odd);
    print_integer((uint64_t)(sum[0] + sum[1] + sum[2] + sum[3]));
}
