/* dna_mismatches [passes] - compares a read of 2 bits a base with 16 KiB of references: counts the bases that differ.
 */
#include "start.h"

enum { WORDS = 1024 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 2000);
    static uint64_t reads[WORDS], references[WORDS];
    const uint64_t low = 0x5555555555555555;
    uint64_t state = 1;
    for (int i = 0; i < WORDS; i++) {
        references[i] = next_random(&state);
        reads[i] = references[i] ^ (next_random(&state) & next_random(&state) & next_random(&state));
    }
    uint64_t even = 0, odd = 0;
    for (long pass = 0; pass < passes; pass++) {
        const uint64_t *read = reads, *reference = references;
        OPAQUE(read);
        for (int i = 0; i < WORDS; i += 2) {
            uint64_t a = read[i] ^ reference[i], b = read[i + 1] ^ reference[i + 1];
            even += (uint64_t)__builtin_popcountll((a | a >> 1) & low);
            odd += (uint64_t)__builtin_popcountll((b | b >> 1) & low);
        }
    }
    print_integer(even * 3 + odd);
}
