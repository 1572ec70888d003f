/* node_view.c - the node as one access daemon sees it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "node_view.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

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
