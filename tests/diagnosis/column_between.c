/* column_between [threads] [MiB of the table] - database scan: adds the prices of all rows whose day lies in a range;
 * two columns of 32-bit integers. */
#include "start.h"

typedef int32_t ints __attribute__((vector_size(32)));

static long mib;
static uint64_t results[64][8];

static void scan(int thread, int threads) {
    /* Half of the memory is days, half prices; prices begin 13 lines later in their page. */
    size_t n = (size_t)mib * 1024 * 1024 / 2 / sizeof(ints) / (size_t)threads / 2 * 2;
    ints *days = (ints *)pages((2 * n + 26) * sizeof *days), *prices = days + n + 26;
    ints seven = {0, 1, 2, 3, 4, 5, 6, 7}, total = {0}, total2 = {0};
    for (size_t i = 0; i < n; i++) {
        days[i] = seven + (int)(i & 255);
        prices[i] = seven ^ thread;
    }
    for (int query = 0; query < 4; query++) {
        ints zero = {0}, first = zero + 20 * query, last = zero + (120 + 20 * query);
        for (size_t i = 0; i < n; i += 2) {
            ints day = days[i], day2 = days[i + 1];
            total += prices[i] & ((day > first) & (last > day));
            total2 += prices[i + 1] & ((day2 > first) & (last > day2));
        }
        OPAQUE(days);
    }
    total += total2;
    results[thread][0] = (uint64_t)(uint32_t)(total[0] + total[7]);
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    mib = argument(argc, argv, 2, 96);
    in_threads((int)threads, scan);
    print_integer(results[0][0] + results[threads - 1][0]);
}
