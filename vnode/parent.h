/* parent.h - a child ends with its parent, however that ends.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PARENT_H
#define ASSAY_VNODE_PARENT_H

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* To be called between fork() and exec(), where the parent forks in its main thread: the kernel means the thread.
 * What is executed is killed as well (unless it is set-user-id), its own children are not. `parent` is the process
 * that forked: it may have ended before the kernel was told. */
static inline void parent_end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        raise(SIGKILL);
}

#endif
