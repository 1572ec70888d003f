// price_options [passes] - American options on a binomial tree, eight options of single precision a vector, in L1.
#include "start.h"
#include <immintrin.h>

constexpr int NODES = 320, STEPS = 96;

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 120);
    // Half a page between values and payoffs: no load has the page offset of a recent store.
    float *values = static_cast<float *>(pages(2 * NODES * 32)), *payoffs = values + 8 * NODES;
    __m256 up = _mm256_set1_ps(0.502f), down = _mm256_set1_ps(0.496f), total = _mm256_setzero_ps();
    for (int i = 0; i < 8 * NODES; i++)
        payoffs[i] = i < 4 * NODES ? 0.01f * float(4 * NODES - i) : 0;
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < 8 * NODES; i++)
            values[i] = payoffs[i];
        for (int step = 1; step <= STEPS; step++) {
            __m256 value = _mm256_load_ps(values);
            for (int i = 0; i < 8 * (NODES - step); i += 8) {
                __m256 next = _mm256_load_ps(values + i + 8);
                __m256 hold = _mm256_fmadd_ps(up, next, _mm256_mul_ps(down, value));
                _mm256_store_ps(values + i, _mm256_max_ps(hold, _mm256_load_ps(payoffs + i)));
                value = next;
            }
        }
        total = _mm256_add_ps(total, _mm256_load_ps(values + 8 * (NODES / 2 - STEPS / 2)));
    }
    float sums[8];
    _mm256_storeu_ps(sums, total);
    print_double(double(sums[0]) + double(sums[7]));
}
