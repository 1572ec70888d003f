// shared_histogram [threads] [thousand values] - all threads count random values in eight atomic buckets of one line.
#include "start.h"
#include <atomic>

static long values;
alignas(64) static std::atomic<uint64_t> buckets[8];

static void count(int thread, int) {
    uint64_t state = uint64_t(thread) + 1;
    for (long i = 0; i < values; i++)
        buckets[next_random(&state) % 8].fetch_add(1, std::memory_order_relaxed);
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    values = argument(argc, argv, 2, 1000) * 1000 / threads;
    in_threads(int(threads), count);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 8; i++)
        sum += buckets[i] * (i + 1);
    print_integer(sum);
}
