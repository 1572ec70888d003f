/* time_lock [thousand squarings] - a puzzle that only takes time: squares a number again and again modulo 2^61 - 1, and
 * then encrypts a message with the result. */
#include "start.h"

static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;

/* The result may be as large as the prime plus one: good enough for the next square. */
static inline uint64_t square(uint64_t x) {
    unsigned __int128 product = (unsigned __int128)x * x;
    uint64_t folded = ((uint64_t)product & PRIME) + (uint64_t)(product >> 61);
    return (folded & PRIME) + (folded >> 61);
}

int main(int argc, char **argv) {
    long squarings = argument(argc, argv, 1, 2500) * 1000;
    static uint64_t message[8] = {'t', 'i', 'm', 'e', 'l', 'o', 'c', 'k'};
    uint64_t key = 1234567890123456789, sum = 0;
    for (long i = 0; i < squarings; i++)
        key = square(key);
    for (int i = 0; i < 8; i++) {
        message[i] ^= key << i;
        sum += message[i];
    }
    print_integer(sum);
}
