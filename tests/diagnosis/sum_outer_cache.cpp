// sum_outer_cache [threads] [KiB per thread] - each thread adds up its own array again and again, in eight sums.
#include "start.h"

static long kib;
static int64_t results[64][8];

static void add_up(int thread, int) {
    size_t n = size_t(kib) * 1024 / sizeof(longs);
    longs *a = static_cast<longs *>(pages(n * sizeof *a));
    for (size_t i = 0; i < n; i++)
        a[i] = longs{1, 2, 3, 4};
    longs s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{};
    for (int sweep = 0; sweep < 60; sweep++) {
        for (size_t i = 0; i < n; i += 8) {
            s0 += a[i];
            s1 += a[i + 1];
            s2 += a[i + 2];
            s3 += a[i + 3];
            s4 += a[i + 4];
            s5 += a[i + 5];
            s6 += a[i + 6];
            s7 += a[i + 7];
        }
        OPAQUE(a);
    }
    longs s = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
    results[thread][0] = s[0] + s[1] + s[2] + s[3];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    kib = argument(argc, argv, 2, 1536);
    in_threads(int(threads), add_up);
    print_integer(uint64_t(results[threads - 1][0]));
}
