// serial_phase [threads] [passes] - parallel phases in private L1 data; between them thread 0 alone does half as much
// again.
#include "start.h"

constexpr int VECTORS = 256;
static long passes;
static uint64_t results[64][8];
static pthread_barrier_t barrier;

static longs add_up(const longs *data, long rounds) {
    longs a{}, b{}, c{}, d{};
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < VECTORS; i += 4) {
            a += data[i];
            b += data[i + 1];
            c += data[i + 2];
            d += data[i + 3];
        }
        OPAQUE(data);
    }
    return a + b + c + d;
}

static void phases(int thread, int threads) {
    longs data[VECTORS], sum{};
    for (longs &value : data)
        value = longs{thread, 1, 2, 3};
    for (int phase = 0; phase < 4; phase++) {
        sum += add_up(data, passes / threads);
        pthread_barrier_wait(&barrier);
        if (thread == 0)
            sum += add_up(data, passes / 2);
        pthread_barrier_wait(&barrier);
    }
    results[thread][0] = uint64_t(sum[0] + sum[1] + sum[2] + sum[3]);
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    passes = argument(argc, argv, 2, 8000);
    pthread_barrier_init(&barrier, nullptr, unsigned(threads));
    in_threads(int(threads), phases);
    print_integer(results[0][0] + results[threads - 1][0]);
}
