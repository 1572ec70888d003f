// neighbour_pages [threads] [KiB per thread] - each thread initialises the part that another thread of the far half
// uses.
#include "start.h"

static long vectors;
static longs *data;
static pthread_barrier_t barrier;

static void increment(int thread, int threads) {
    longs *theirs = data + vectors * ((thread + threads / 2) % threads), *mine = data + vectors * thread;
    longs one{1, 1, 1, 1};
    for (long i = 0; i < vectors; i++)
        theirs[i] = one;
    pthread_barrier_wait(&barrier);
    for (int sweep = 0; sweep < 4; sweep++) {
        for (long i = 0; i < vectors; i++)
            mine[i] += one;
        OPAQUE(mine);
    }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    vectors = argument(argc, argv, 2, 16384) * 1024 / long(sizeof(longs));
    data = static_cast<longs *>(pages(size_t(vectors * threads) * sizeof *data));
    pthread_barrier_init(&barrier, nullptr, unsigned(threads));
    in_threads(int(threads), increment);
    print_integer(uint64_t(data[0][0] + data[vectors * threads - 1][3]));
}
