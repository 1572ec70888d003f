/* adjoint_gradient [threads] [passes] - gradient of a seismic image, three fields of 32 MiB: the forward run deals the
 * blocks to the threads in order, the backward run in reverse order. */
#include "start.h"

enum { VECTORS = 1 << 20, PAGE = 4096 / 32 };

static long passes;
static doubles *forward, *backward, *gradient;
static pthread_barrier_t filled;

/* The forward run of this block: touches each of its pages first. */
static void fill(long begin, long end) {
    for (long i = begin; i < end; i += PAGE)
        forward[i][0] = backward[i][0] = gradient[i][2] = (double)(i % 127);
}

static void add_product(long i) {
    gradient[i] += forward[i] * backward[i];
}

static void correlate(int thread, int threads) {
    long block = VECTORS / threads, begin = thread * block;
    fill(VECTORS - begin - block, VECTORS - begin);
    pthread_barrier_wait(&filled);
    for (long pass = 0; pass < passes; pass++)
        for (long i = begin; i < begin + block; i += 4) {
            add_product(i);
            add_product(i + 1);
            add_product(i + 2);
            add_product(i + 3);
        }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    passes = argument(argc, argv, 2, 13);
    forward = (doubles *)pages(VECTORS * sizeof(doubles));
    backward = (doubles *)pages(VECTORS * sizeof(doubles));
    gradient = (doubles *)pages(VECTORS * sizeof(doubles));
    pthread_barrier_init(&filled, NULL, (unsigned)threads);
    in_threads((int)threads, correlate);
    print_double(sum_of(gradient[0]) + sum_of(gradient[5 * PAGE]) + sum_of(gradient[VECTORS - PAGE]));
}
