/* varint_decode [blocks] - decodes numbers of 7 bits a byte, with a bit that says "continued"; fresh blocks of 4 KiB.
 */
#include "start.h"

enum { BYTES = 4096 };

int main(int argc, char **argv) {
    long blocks = argument(argc, argv, 1, 600);
    static uint64_t words[BYTES / 8 + 2];
    uint64_t state = 88172645463325252, sum = 0;
    for (long block = 0; block < blocks; block++) {
        for (int i = 0; i < BYTES / 8; i++)
            words[i] = next_random(&state);
        const uint8_t *at = (const uint8_t *)words, *end = at + BYTES;
        while (at < end) {
            uint64_t value = *at & 127;
            unsigned shift = 7;
            while (*at++ & 128) {
                value |= (uint64_t)(*at & 127) << (shift & 63);
                shift += 7;
            }
            sum += value;
        }
    }
    print_integer(sum);
}
