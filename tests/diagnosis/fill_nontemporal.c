/* fill_nontemporal [threads] [KiB per thread] - each thread fills its own memory with non-temporal stores. */
#include "start.h"
#include <immintrin.h>

static long kib;
static double results[64][8];

static void fill(int thread, int threads) {
    size_t n = (size_t)kib * 1024 / sizeof(__m256d);
    double *a = (double *)pages(n * sizeof(__m256d));
    for (int sweep = 0; sweep < 4; sweep++) {
        __m256d value = _mm256_set1_pd(sweep + threads);
        for (size_t i = 0; i < n; i += 2) {
            _mm256_stream_pd(a + 4 * i, value);
            _mm256_stream_pd(a + 4 * i + 4, value);
        }
        _mm_sfence();
    }
    results[thread][0] = a[4 * n - 1];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    kib = argument(argc, argv, 2, 16384);
    in_threads((int)threads, fill);
    print_double(results[threads - 1][0]);
}
