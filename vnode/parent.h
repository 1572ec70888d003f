/* parent.h - a child that is killed when its parent ends, for any reason.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PARENT_H
#define ASSAY_VNODE_PARENT_H

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Call between fork() and exec() if the parent forks in its main thread: the kernel watches the forking thread. Stays
 * in effect after exec() (unless set-user-id), but not for the child's own children. `parent`: the forking process,
 * which may have ended already. */
static inline void parent_end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        raise(SIGKILL);
}

#endif
