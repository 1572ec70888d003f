/* vector_triad [threads] [KiB per array and thread] - a[i] = b[i] + s * c[i]; each thread on its own arrays. */
#include "start.h"

static long kib;
static double results[64][8];

static void triad(int thread, int threads) {
    size_t n = (size_t)kib * 1024 / sizeof(doubles);
    doubles *a = (doubles *)pages(n * sizeof *a), *b = (doubles *)pages(n * sizeof *b),
            *c = (doubles *)pages(n * sizeof *c);
    doubles s = {3, 3, 3, 3}, one = {1, 1, 1, 1};
    for (size_t i = 0; i < n; i++) {
        a[i] = one;
        b[i] = one;
        c[i] = s;
    }
    for (int sweep = 0; sweep < 4; sweep++) {
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] + s * c[i];
        OPAQUE(a);
    }
    results[thread][0] = sum_of(a[n - 1]) * threads;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    kib = argument(argc, argv, 2, 8192);
    in_threads((int)threads, triad);
    print_double(results[threads - 1][0]);
}
