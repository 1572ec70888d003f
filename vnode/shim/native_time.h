/* native_time.h - LIKWID's native tools in the node's time (vnode/clock_file.h). Between two sleeps they take zero
 * node time, and the node's programs are held.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_NATIVE_TIME_H
#define ASSAY_SHIM_NATIVE_TIME_H

#include <stdint.h>
#include <sys/types.h>

/* Called in LIKWID's tools: the process uses the node's time from now on. */
void native_time_start(void);

/* The node's CLOCK_MONOTONIC, or its CLOCK_REALTIME, in ns; 0 in a process that does not use the node's time. */
uint64_t native_time_now(int realtime);

/* Sleeps for `ns` of node time. Returns the time left if a signal, or the end of program `until` (0: none),
 * interrupted it. */
uint64_t native_time_sleep(uint64_t ns, pid_t until);

/* Makes a child, before it runs, take part in the node's time. */
void native_time_child(pid_t child);

/* Whether this process takes part and that child does not. */
int native_time_lacks(pid_t child);

/* waitpid() in the node's time (clock.c): a process that waits for a child delays no other, after the child's start. */
pid_t clock_waitpid(pid_t child, int *status, int options);

/* Call before and after any other wait. */
void native_time_leave(void);
void native_time_return(void);

#endif
