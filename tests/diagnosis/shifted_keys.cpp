// shifted_keys [passes] - counts equal 16-byte keys in two tables whose keys all cross a line.
#include "start.h"
#include <immintrin.h>

constexpr int KEYS = 200, STRIDE = 64;

static __m128i key(const char *table, int i) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(table + 56 + STRIDE * i));
}

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 10000);
    char *left = static_cast<char *>(pages(STRIDE * (KEYS + 1))),
         *right = static_cast<char *>(pages(STRIDE * (KEYS + 1)));
    for (int i = 0; i < STRIDE * (KEYS + 1); i++) {
        left[i] = char(i);
        right[i] = char(i % 29 ? i : 0);
    }
    __m128i equal = _mm_setzero_si128(), more = equal;
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < KEYS; i += 2) {
            equal = _mm_sub_epi64(equal, _mm_cmpeq_epi64(key(left, i), key(right, i)));
            more = _mm_sub_epi64(more, _mm_cmpeq_epi64(key(left, i + 1), key(right, i + 1)));
        }
        OPAQUE(left);
    }
    equal = _mm_add_epi64(equal, more);
    print_integer(uint64_t(_mm_extract_epi64(equal, 0) + _mm_extract_epi64(equal, 1)));
}
