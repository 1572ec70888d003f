// spin_domains [thousand words] - lengths of the domains of equal spins in random chains, 64 spins a word.
#include "start.h"

constexpr long RING = 1024;

int main(int argc, char **argv) {
    long words = argument(argc, argv, 1, 40) * 1000;
    uint8_t *lengths = static_cast<uint8_t *>(pages(RING));
    for (long i = 0; i < RING; i++)
        lengths[i] = 0;
    uint64_t state = 1, last = 0;
    long domains = 0;
    unsigned length = 0;
    for (long word = 0; word < words; word++) {
        uint64_t spins = next_random(&state);
        for (int i = 0; i < 64; i++) {
            uint64_t spin = spins & 1;
            spins >>= 1;
            if (spin == last) {
                length++;
            } else {
                lengths[domains++ & (RING - 1)] = uint8_t(length);
                length = 1;
                last = spin;
            }
        }
    }
    uint64_t sum = uint64_t(domains);
    for (long i = 0; i < RING; i++)
        sum += lengths[i] * uint64_t(i & 7);
    print_integer(sum);
}
