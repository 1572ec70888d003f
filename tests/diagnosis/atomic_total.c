/* atomic_total [threads] [thousand steps] - all threads add to one atomic counter. */
#include "start.h"

static long steps;
static _Alignas(64) int64_t total;

static void add(int thread, int threads) {
    (void)threads;
    for (long i = 0; i < steps; i++)
        __atomic_fetch_add(&total, thread + 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 2000) * 1000 / threads;
    in_threads((int)threads, add);
    print_integer((uint64_t)total);
}
