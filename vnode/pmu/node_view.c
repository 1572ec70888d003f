/* node_view.c - the node as one access daemon sees it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "node_view.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct node_file *node_map(const char *folder) {
    char path[4200];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, NODE_FILE_NAME);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        return NULL;
    errno = EINVAL;
    if ((size_t)status.st_size < sizeof(struct node_file))
        return NULL;
    struct node_file *node = mmap(NULL, sizeof *node, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (node == MAP_FAILED || node->magic != NODE_MAGIC || node->version != NODE_VERSION)
        return NULL;
    return node;
}

void node_lock(struct node_file *node) {
    enum { PATIENCE = 1000 }; /* tries before checking whether the holder is alive */
    uint32_t self = (uint32_t)getpid();
    for (unsigned tries = 1;; tries++) {
        uint32_t holder = 0;
        if (__atomic_compare_exchange_n(&node->lock, &holder, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        if (tries % PATIENCE == 0 && kill((pid_t)holder, 0) != 0 && errno == ESRCH &&
            __atomic_compare_exchange_n(&node->lock, &holder, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        sched_yield();
    }
}

void node_unlock(struct node_file *node) {
    __atomic_store_n(&node->lock, 0, __ATOMIC_RELEASE);
}
