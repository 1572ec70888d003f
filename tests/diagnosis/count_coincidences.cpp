// count_coincidences [threads] [thousand vectors] - each thread counts, modulo 4, which of its 32768 channels were hit
// in three detector planes, bit by bit.
#include "start.h"

constexpr long VECTORS = 128;

static long vectors;
static uint64_t results[64][8];

struct detector {
    longs a[VECTORS], b[VECTORS], c[VECTORS], ones[VECTORS], twos[VECTORS];
};

static void count(int thread, int threads) {
    detector *d = static_cast<detector *>(pages(sizeof *d));
    uint64_t state = uint64_t(thread) + 1;
    for (long i = 0; i < VECTORS; i++) {
        d->a[i] = longs{1, 2, 3, 4} * int64_t(next_random(&state));
        d->b[i] = d->a[i] * 3 + i;
        d->c[i] = d->a[i] * 5 - i;
        d->ones[i] = d->twos[i] = longs{};
    }
    for (long i = 0, end = vectors / threads; i < end; i++) {
        long at = i & (VECTORS - 1);
        longs a = d->a[at], b = d->b[at], c = d->c[at], ones = d->ones[at], twos = d->twos[at];
        OPAQUE_VECTOR(a);
        OPAQUE_VECTOR(b);
        OPAQUE_VECTOR(c);
        longs differ = a ^ b, sum = differ ^ c, carry = (a & b) | (differ & c);
        d->ones[at] = ones ^ sum;
        d->twos[at] = twos ^ carry ^ (ones & sum);
    }
    longs all{};
    for (long i = 0; i < VECTORS; i++)
        all ^= d->ones[i] + d->twos[i];
    results[thread][0] = uint64_t(all[0] ^ all[3]);
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    vectors = argument(argc, argv, 2, 2500) * 1000;
    in_threads(int(threads), count);
    print_integer(results[0][0] + results[threads - 1][0]);
}
