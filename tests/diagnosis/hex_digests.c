/* hex_digests [thousand words] - writes digests as hexadecimal text, two characters a byte by a table of 256 pairs. */
#include "start.h"

enum { WORDS = 256 };

/* Less than a page: the text has other page offsets than digests and table. */
struct set {
    uint32_t digests[WORDS];
    uint16_t pairs[256];
    uint32_t text[2 * WORDS];
};

int main(int argc, char **argv) {
    long words = argument(argc, argv, 1, 1500) * 1000;
    struct set *set = (struct set *)pages(sizeof *set);
    const char *digits = "0123456789abcdef";
    uint64_t state = 1, sum = 0;
    for (int i = 0; i < 256; i++) {
        set->pairs[i] = (uint16_t)(digits[i & 15] << 8 | digits[i >> 4]);
        set->digests[i] = (uint32_t)(next_random(&state) >> 20);
    }
    for (long i = 0; i < words; i++) {
        long at = i & (WORDS - 1);
        uint32_t word = set->digests[at];
        uint32_t a = set->pairs[word & 255], b = set->pairs[word >> 8 & 255];
        uint32_t c = set->pairs[word >> 16 & 255], d = set->pairs[word >> 24];
        set->text[2 * at] = a | b << 16;
        set->text[2 * at + 1] = c | d << 16;
        OPAQUE(set);
    }
    for (int i = 0; i < 2 * WORDS; i++)
        sum ^= set->text[i] * (uint64_t)(2 * i + 1);
    print_integer(sum);
}
