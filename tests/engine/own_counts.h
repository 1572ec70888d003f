/* own_counts.h - the counts of the calling process, from its slot of the node file. For programs on the virtual node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_ENGINE_OWN_COUNTS_H
#define ASSAY_TESTS_ENGINE_OWN_COUNTS_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vnode/node_file.h"

/* Publishes the counts, like a record to LIKWID's access daemon; `socket`: one end of a socketpair(). */
static inline void publish(int socket) {
    static const char record[32];
    long written = SYS_write; /* the C library's write() has extra instructions, more in newer versions */
    __asm__ volatile("syscall"
                     : "+a"(written)
                     : "D"((long)socket), "S"(record), "d"(sizeof record)
                     : "rcx", "r11", "memory");
    if (written != sizeof record)
        exit(2);
}

/* The published totals of core 0; ends the program with status 2 if there is no node. */
static inline const volatile uint64_t *own_totals(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv(NODE_DIR_VARIABLE) ? getenv(NODE_DIR_VARIABLE) : "", NODE_FILE_NAME);
    int fd = open(path, O_RDONLY);
    struct node_file *node = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *node, PROT_READ, MAP_SHARED, fd, 0);
    if (node == MAP_FAILED) {
        fprintf(stderr, "%s: cannot be mapped; run this program on the virtual node\n", path);
        exit(2);
    }
    for (int i = 0; i < NODE_SLOTS; i++)
        if (node->owner[i].pid == getpid())
            return node->slot[i].published.core[0].total;
    fprintf(stderr, "%s: no slot of this process; run this program on the virtual node\n", path);
    exit(2);
}

#endif
