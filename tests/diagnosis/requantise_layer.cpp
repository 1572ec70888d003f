// requantise_layer [passes] - a layer of 2048 cells of a quantised neural network: sums of 32 bits plus bias, scaled by
// a shift, as 16 bits not below zero.
#include "start.h"
#include <immintrin.h>

constexpr int PAIRS = 128;

// Sums and biases have two pages each; outputs begin half a page further, so that all loads lead the stores by 2048
// bytes modulo a page.
struct layer {
    __m256i sums[2][PAIRS], biases[2][PAIRS], gap[64], outputs[PAIRS];
};

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 18000);
    layer *l = static_cast<layer *>(pages(sizeof *l));
    __m256i step = _mm256_setr_epi32(3, -100, 7000, -9, 100, 555, -66, 1234);
    for (int i = 0; i < PAIRS; i++)
        for (int half = 0; half < 2; half++) {
            l->sums[half][i] = _mm256_mullo_epi32(step, _mm256_set1_epi32(i * 11));
            l->biases[half][i] = _mm256_set1_epi32(100 * i - 1500 * half);
        }
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < PAIRS; i++) {
            __m256i low = _mm256_add_epi32(l->sums[0][i], l->biases[0][i]);
            __m256i high = _mm256_add_epi32(l->sums[1][i], l->biases[1][i]);
            __m256i both = _mm256_packs_epi32(_mm256_srai_epi32(low, 6), _mm256_srai_epi32(high, 6));
            l->outputs[i] = _mm256_max_epi16(both, _mm256_setzero_si256());
        }
        OPAQUE(l);
    }
    uint64_t sum = 0;
    for (int i = 0; i < PAIRS; i++)
        sum += uint64_t(_mm256_extract_epi64(l->outputs[i], 1)) * uint64_t(i + 1);
    print_integer(sum);
}
