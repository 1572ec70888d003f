/* parent_watch.h - tells a process that its parent has ended.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PARENT_WATCH_H
#define ASSAY_PMU_PARENT_WATCH_H

#include <sys/types.h>

/* A descriptor for parent_await(), -1 and errno. Blocks SIGHUP, which it uses. */
int parent_watch(void);

/* Waits until `fd` can be read, `ms` milliseconds at most (-1: for ever), or `parent` has ended. 1: it can be read,
 * 0: time is over, -1 and ESRCH: the parent has ended. The parent's threads may come and go. */
int parent_await(int watch, pid_t parent, int fd, int ms);

#endif
