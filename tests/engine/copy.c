/* copy.c - one memcpy() on the virtual node.
 *
 *   copy BYTES    prints the source's number of lines, the lines brought into L1D, and the non-temporal stores
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/socket.h>

#include "own_counts.h"

int main(int argc, char **argv) {
    enum { LINE = 64, PAGE = 4096 };
    void *(*volatile copy)(void *, const void *, size_t) =
        memcpy; /* volatile: the unused copy must not be optimized away */
    int sockets[2];
    size_t bytes = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    char *from = aligned_alloc(PAGE, (bytes / PAGE + 1) * PAGE), *to = aligned_alloc(PAGE, (bytes / PAGE + 1) * PAGE);
    if (!bytes || !from || !to || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 2;
    memset(from, 1, bytes);
    memset(to, 1, bytes);
    const volatile uint64_t *now = own_totals();
    publish(sockets[0]);
    uint64_t lines = now[CORE_L1D_REPLACEMENT], stores = now[CORE_STORES_NT];
    copy(to, from, bytes);
    publish(sockets[0]);
    printf("%zu %llu %llu\n", bytes / LINE, (unsigned long long)(now[CORE_L1D_REPLACEMENT] - lines),
           (unsigned long long)(now[CORE_STORES_NT] - stores));
    return 0;
}
