// halo_flags [threads] [steps] - steps on a ring of small domains; before each step a domain waits for the edges of its
// neighbours.
#include "start.h"
#include <atomic>
#include <sched.h>

struct alignas(64) edge {
    int64_t value[2];
    std::atomic<long> steps;
};

static long steps;
static edge edges[64];
static int64_t results[64][8];

static int64_t edge_of(const edge &neighbour, long step) {
    for (unsigned spins = 1; neighbour.steps.load(std::memory_order_acquire) <= step; spins++) {
        __builtin_ia32_pause();
        if (spins % 50 == 0)
            sched_yield();
    }
    return neighbour.value[step & 1];
}

static void advance(int thread, int threads) {
    longs cells[16], even{}, odd{};
    for (longs &cell : cells)
        cell = longs{thread, 1, 2, 3};
    edge &own = edges[thread];
    const edge &left = edges[(thread + threads - 1) % threads], &right = edges[(thread + 1) % threads];
    for (long step = 0; step < steps; step++) {
        own.value[step & 1] = even[0] & 1023;
        own.steps.store(step + 1, std::memory_order_release);
        int64_t inflow = edge_of(left, step) + edge_of(right, step);
#pragma GCC unroll 8
        for (int i = 0; i < 16; i += 2) {
            even += cells[i];
            odd += cells[i + 1];
        }
        even += longs{inflow, 0, 0, inflow};
        longs *all = cells;
        OPAQUE(all);
    }
    even += odd;
    results[thread][0] = even[0] + even[1] + even[2] + even[3];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 24000);
    in_threads(int(threads), advance);
    print_integer(uint64_t(results[0][0] + results[threads - 1][0]));
}
