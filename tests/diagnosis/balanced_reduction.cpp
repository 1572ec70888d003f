// balanced_reduction [threads] [passes] - equal numbers of passes over private data, sums joined at the end.
#include "start.h"

static long passes;
alignas(64) static int64_t results[64][8];

static void reduce(int thread, int threads) {
    alignas(64) longs data[256], a{}, b{}, c{}, d{};
    for (longs &value : data)
        value = longs{thread, 1, 2, 3};
    for (long pass = 0; pass < passes / threads; pass++) {
        for (int i = 0; i < 256; i += 4) {
            a += data[i];
            b += data[i + 1];
            c += data[i + 2];
            d += data[i + 3];
        }
        longs *all = data;
        OPAQUE(all);
    }
    a += b + c + d;
    results[thread][0] = a[0] + a[1] + a[2] + a[3];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    passes = argument(argc, argv, 2, 32000);
    in_threads(int(threads), reduce);
    int64_t sum = 0;
    for (long i = 0; i < threads; i++)
        sum += results[i][0];
    print_integer(uint64_t(sum));
}
