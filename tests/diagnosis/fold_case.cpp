// fold_case [passes] - writes a text of 8 KiB in lower case, 32 letters at a time, and counts its words' ends.
#include "start.h"
#include <immintrin.h>

constexpr int VECTORS = 256;

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 5000);
    char *memory = static_cast<char *>(pages(2 * 32 * VECTORS));
    for (int i = 0; i < 32 * VECTORS; i++)
        memory[i] = i % 7 == 6 ? ' ' : char((i % 5 ? 'a' : 'A') + i % 23);
    const __m256i *text = reinterpret_cast<__m256i *>(memory), space = _mm256_set1_epi8(' ');
    __m256i *folded = reinterpret_cast<__m256i *>(memory) + VECTORS;
    // 'A' to 'Z' become the 26 largest signed bytes, so that one comparison finds them
    const __m256i shift = _mm256_set1_epi8(127 - 'Z'), limit = _mm256_set1_epi8(127 - 26);
    uint64_t ends = 0, lines = 0;
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++) {
            __m256i letters = text[i];
            __m256i capital = _mm256_cmpgt_epi8(_mm256_add_epi8(letters, shift), limit);
            folded[i] = _mm256_or_si256(letters, _mm256_and_si256(capital, space));
            uint32_t spaces = uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(letters, space)));
            ends += uint64_t(__builtin_popcount(spaces));
            lines += spaces & 1;
        }
        OPAQUE(text);
    }
    print_integer(ends * 5 + lines + uint64_t(memory[12345]));
}
