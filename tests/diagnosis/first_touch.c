/* first_touch [threads] [KiB] - the first thread initialises an array, then all threads add up their parts of it. */
#include "start.h"

static long vectors;
static longs *array;
static int64_t sums[64][8];

static void add_up(int thread, int threads) {
    long part = vectors / threads / 4 * 4;
    const longs *mine = array + thread * part;
    longs a = {0}, b = {0}, c = {0}, d = {0};
    for (int sweep = 0; sweep < 16; sweep++) {
        for (long i = 0; i < part; i += 4) {
            a += mine[i];
            b += mine[i + 1];
            c += mine[i + 2];
            d += mine[i + 3];
        }
        OPAQUE(mine);
    }
    a += b + c + d;
    sums[thread][0] = a[0] + a[1] + a[2] + a[3];
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    vectors = argument(argc, argv, 2, 24576) * 1024 / (long)sizeof(longs);
    array = (longs *)pages((size_t)vectors * sizeof *array);
    longs first = {0, 1, 2, 3};
    for (long i = 0; i < vectors; i += 2)
        array[i] = array[i + 1] = first;
    in_threads((int)threads, add_up);
    print_integer((uint64_t)(sums[0][0] + sums[threads - 1][0]));
}
