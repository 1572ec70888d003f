/* barrier_steps [threads] [steps] - steps of 64 vector additions, each followed by a spinning barrier. */
#include "start.h"
#include <sched.h>

static long steps;
static int64_t results[64][8];
static _Alignas(64) int arrived;
static _Alignas(64) long generation;

static void wait_for_all(int threads, long step) {
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == threads) {
        __atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&generation, step + 1, __ATOMIC_RELEASE);
    }
    for (unsigned spins = 1; __atomic_load_n(&generation, __ATOMIC_ACQUIRE) <= step; spins++) {
        __builtin_ia32_pause();
        if (spins % 200 == 0)
            sched_yield();
    }
}

static void step_through(int thread, int threads) {
    longs data[64];
    for (int i = 0; i < 64; i++)
        data[i] = (longs){thread, threads, i, 1};
    longs even = {0}, odd = {0};
    for (long step = 0; step < steps; step++) {
        for (int i = 0; i < 64; i += 2) {
            even += data[i];
            odd += data[i + 1];
        }
        longs *all = data;
        OPAQUE(all);
        wait_for_all(threads, step);
    }
    even += odd;
    results[thread][0] = even[0] + even[1] + even[2] + even[3];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 5000);
    in_threads((int)threads, step_through);
    print_integer((uint64_t)(results[0][0] + results[threads - 1][0]));
}
