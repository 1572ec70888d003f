/* bloom_probe [threads] [thousand keys] - each thread asks its own Bloom filter of 8 KiB for its keys, two bits a key.
 */
#include "start.h"

enum { WORDS = 1024 };

static long keys;
static uint64_t results[64][8];

static inline uint64_t hash_of(uint64_t key) {
    return key * 0x9e3779b97f4a7c15 ^ key >> 7;
}

static void probe(int thread, int threads) {
    _Alignas(64) uint64_t filter[WORDS] = {0};
    for (uint64_t key = 0; key < 2000; key++) {
        uint64_t h = hash_of(key + (uint64_t)thread);
        filter[h >> 54] |= UINT64_C(1) << (h & 63);
        filter[h >> 44 & 1023] |= UINT64_C(1) << (h >> 6 & 63);
    }
    uint64_t found = 0, key = (uint64_t)threads;
    for (long i = 0; i < keys; i++) {
        uint64_t h = hash_of(key);
        key += 12345;
        found += filter[h >> 54] >> (h & 63) & filter[h >> 44 & 1023] >> (h >> 6 & 63) & 1;
    }
    results[thread][0] = found;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    keys = argument(argc, argv, 2, 2000) * 1000 / threads;
    in_threads((int)threads, probe);
    uint64_t sum = 0;
    for (long i = 0; i < threads; i++)
        sum += results[i][0];
    print_integer(sum);
}
