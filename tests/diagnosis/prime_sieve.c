/* prime_sieve [passes] - sieve of Eratosthenes over 16384 flags of a byte. */
#include "start.h"
#include <string.h>

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 120);
    static uint8_t composite[16384];
    for (long pass = 0; pass < passes; pass++) {
        memset(composite, 0, sizeof composite);
        for (int p = 2; p < 128; p++)
            if (!composite[p])
                for (int i = p * p; i < 16384; i += p)
                    composite[i] = 1;
        uint8_t *flags = composite;
        OPAQUE(flags);
    }
    uint64_t primes = 0;
    for (int i = 2; i < 16384; i++)
        primes += !composite[i];
    print_integer(primes);
}
