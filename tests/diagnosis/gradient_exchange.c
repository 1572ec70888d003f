/* gradient_exchange [threads] [steps] - training with small batches: after each step the threads exchange their
 * gradients in pairs, log2(threads) times (butterfly); threads is a power of 2. */
#include "start.h"
#include <sched.h>
#include <stdatomic.h>

enum { VECTORS = 24, ROUNDS = 6 };

/* Steps use two slots in turn, each in lines of its own; step is the last one whose gradient is in the slot. */
struct slot {
    _Alignas(128) int64_t gradient;
    _Atomic long step;
};

static struct slot slots[64][ROUNDS][2];
static long steps;
static uint64_t results[64][8];

static int64_t exchange(int thread, int threads, long step, int64_t gradient) {
    for (int round = 0; 1 << round < threads; round++) {
        struct slot *mine = &slots[thread][round][step & 1], *other = &slots[thread ^ 1 << round][round][step & 1];
        mine->gradient = gradient;
        atomic_store_explicit(&mine->step, step, memory_order_release);
        for (int spins = 1; atomic_load_explicit(&other->step, memory_order_acquire) < step; spins++)
            if (spins % 32 == 0)
                sched_yield();
        gradient += other->gradient;
    }
    return gradient;
}

static void train(int thread, int threads) {
    longs batch[VECTORS], zero = {0}, weight = {1, 2, 3, 4};
    for (int i = 0; i < VECTORS; i++)
        batch[i] = zero + (thread * 100 + i);
    for (long step = 1; step <= steps; step++) {
        longs a = zero, b = zero;
        for (int i = 0; i < VECTORS; i += 2) {
            a += batch[i] ^ weight;
            b += batch[i + 1] & weight;
        }
        a += b;
        weight += exchange(thread, threads, step, a[0] + a[1] + a[2] + a[3]);
    }
    results[thread][0] = (uint64_t)weight[0];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 12000);
    in_threads((int)threads, train);
    print_integer(results[0][0] + results[threads - 1][0]);
}
