/* walker_tallies [threads] [thousand steps] - each thread tallies the bins of its own walk; the tallies of all threads
 * for a bin lie in one line. */
#include "start.h"

enum { BINS = 16, THREADS = 8 };

static long steps;
static _Alignas(64) int64_t tallies[BINS][THREADS];

static void walk(int thread, int threads) {
    (void)threads;
    int64_t bin = thread;
    for (long i = 0; i < steps; i++) {
        int64_t visits = ++tallies[bin][thread];
        bin = (bin + 1 + (visits & 2)) % BINS & (BINS - 1);
    }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 4000) * 1000 / threads;
    if (threads > THREADS)
        return 2;
    in_threads((int)threads, walk);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < BINS * THREADS; i++)
        sum += (uint64_t)tallies[i / THREADS][i % THREADS] * i;
    print_integer(sum);
}
