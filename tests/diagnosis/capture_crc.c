/* capture_crc [passes] - CRC-32C of a capture of 16 KiB by the instruction for it, word after word. */
#include "start.h"
#include <nmmintrin.h>

enum { WORDS = 2048 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 3600);
    uint64_t *capture = (uint64_t *)pages(WORDS * sizeof *capture), state = 1, crc = 0xffffffff;
    for (int i = 0; i < WORDS; i++)
        capture[i] = next_random(&state);
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < WORDS; i++)
            crc = _mm_crc32_u64(crc, capture[i]);
        OPAQUE(capture);
    }
    print_integer(crc);
}
