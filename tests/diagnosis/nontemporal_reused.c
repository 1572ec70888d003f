/* nontemporal_reused [passes] - fills 16 KiB with non-temporal stores and reads them back: each pass goes to memory and
 * back. */
#include "start.h"
#include <immintrin.h>

enum { VECTORS = 512 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 3000);
    double *a = (double *)pages(VECTORS * 32);
    __m256d even = _mm256_setzero_pd(), odd = even;
    for (long pass = 0; pass < passes; pass++) {
        __m256d value = _mm256_set1_pd((double)pass);
        for (long i = 0; i < 4 * VECTORS; i += 8) {
            _mm256_stream_pd(a + i, value);
            _mm256_stream_pd(a + i + 4, value);
        }
        _mm_sfence();
        for (long i = 0; i < 4 * VECTORS; i += 8) {
            even = _mm256_add_pd(even, _mm256_load_pd(a + i));
            odd = _mm256_add_pd(odd, _mm256_load_pd(a + i + 4));
        }
    }
    print_double(sum_of((doubles)_mm256_add_pd(even, odd)));
}
