/* spinning_wait [threads] [passes] - thread 0 works four times as long as the others, which spin until it is done. */
#include "start.h"
#include <sched.h>

enum { VECTORS = 256 };

static long passes;
static int64_t results[64][8];
static _Alignas(64) int done;

static void work(int thread, int threads) {
    longs data[VECTORS], a = {0}, b = {0}, c = {0}, d = {0};
    for (int i = 0; i < VECTORS; i++)
        data[i] = (longs){thread, threads, 1, 2};
    for (long pass = 0; pass < (thread == 0 ? passes : passes / 4); pass++) {
        for (int i = 0; i < VECTORS; i += 4) {
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
    if (thread == 0)
        __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    for (unsigned spins = 1; !__atomic_load_n(&done, __ATOMIC_ACQUIRE); spins++) {
        __builtin_ia32_pause();
        if (spins % 1000 == 0)
            sched_yield();
    }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    passes = argument(argc, argv, 2, 20000);
    in_threads((int)threads, work);
    print_integer((uint64_t)(results[0][0] + results[threads - 1][0]));
}
