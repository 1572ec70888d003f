// token_ring [threads] [rounds] - threads pass a token on; its holder adds 32 vectors, the others spin.
#include "start.h"
#include <atomic>
#include <sched.h>

static long rounds;
static int64_t results[64][8];
alignas(64) static std::atomic<long> token;

static void pass_on(int thread, int threads) {
    longs data[32], even{}, odd{};
    for (longs &value : data)
        value = longs{thread, threads, 2, 1};
    for (long round = 0; round < rounds; round++) {
        for (unsigned spins = 1; token.load(std::memory_order_acquire) != round * threads + thread; spins++) {
            __builtin_ia32_pause();
            if (spins % 200 == 0)
                sched_yield();
        }
        for (int i = 0; i < 32; i += 2) {
            even += data[i];
            odd += data[i + 1];
        }
        longs *all = data;
        OPAQUE(all);
        token.store(round * threads + thread + 1, std::memory_order_release);
    }
    even += odd;
    results[thread][0] = even[0] + even[1] + even[2] + even[3];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    rounds = argument(argc, argv, 2, 8000) / threads;
    in_threads(int(threads), pass_on);
    print_integer(uint64_t(results[0][0] + results[threads - 1][0]));
}
