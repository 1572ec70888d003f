/* parent_watch.h - tells a process that its parent has ended.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PARENT_WATCH_H
#define ASSAY_PMU_PARENT_WATCH_H

#include <sys/types.h>

/* Returns a descriptor for parent_await(), or -1 and errno. Blocks SIGHUP, which it uses. */
int parent_watch(void);

/* Waits until `fd` is readable, `ms` milliseconds have passed (-1: no limit), or `parent` has ended. 1: readable, 0:
 * timeout, -1 and ESRCH: the parent has ended. Ends of single threads of the parent do not count. */
int parent_await(int watch, pid_t parent, int fd, int ms);

#endif
