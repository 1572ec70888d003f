/* raid_parity [threads] [KiB per block] - parity of stripes of four data blocks, as a RAID writes it; private stripes.
 */
#include "start.h"

enum { DISKS = 4, SWEEPS = 4 };

static long kib;
static int64_t results[64][8];

static void stripe(int thread, int threads) {
    size_t n = (size_t)kib * 1024 / sizeof(longs);
    longs *disk[DISKS], *parity = (longs *)pages(n * sizeof *parity);
    for (int d = 0; d < DISKS; d++) {
        disk[d] = (longs *)pages(n * sizeof(longs));
        for (size_t i = 0; i < n; i++)
            disk[d][i] = (longs){thread, d, 1, 5};
    }
    const longs *a = disk[0], *b = disk[1], *c = disk[2], *d = disk[3];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (size_t i = 0; i < n; i++)
            parity[i] = (a[i] ^ b[i]) ^ (c[i] ^ d[i]);
        OPAQUE(parity);
    }
    results[thread][0] = parity[n - 1][0] + parity[n / 2][1] + threads;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    kib = argument(argc, argv, 2, 5120);
    in_threads((int)threads, stripe);
    print_integer((uint64_t)results[threads - 1][0]);
}
