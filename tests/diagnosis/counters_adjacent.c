/* counters_adjacent [threads] [thousand steps] - each thread counts in its own counter; all counters lie in one line.
 */
#include "start.h"

static long steps;
static _Alignas(64) volatile int64_t counters[8];

static void count(int thread, int threads) {
    for (long i = 0; i < steps; i++)
        counters[thread % 8] += threads;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 6000) * 1000 / threads;
    if (threads > 8)
        return 2;
    in_threads((int)threads, count);
    print_integer((uint64_t)counters[0]);
}
