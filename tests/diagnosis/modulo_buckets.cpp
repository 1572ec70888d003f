// modulo_buckets [thousand keys] - counts 64-bit keys in buckets chosen by the remainder of a division by a variable.
#include "start.h"

int main(int argc, char **argv) {
    long keys = argument(argc, argv, 1, 1000) * 1000;
    uint64_t buckets = 1021;
    OPAQUE(buckets);
    static uint32_t counts[1024];
    uint64_t key = 1;
    for (long i = 0; i < keys; i++) {
        key += 0x9e3779b97f4a7c15;
        counts[key % buckets]++;
    }
    uint64_t sum = 0;
    for (uint64_t i = 0; i < buckets; i++)
        sum += counts[i] * i;
    print_integer(sum);
}
