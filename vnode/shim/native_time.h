/* native_time.h - LIKWID's native tools in the time of the node (vnode/clock_file.h). What they do between two sleeps
 * takes no time of the node, and the node's programs are held meanwhile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_NATIVE_TIME_H
#define ASSAY_SHIM_NATIVE_TIME_H

#include <stdint.h>
#include <sys/types.h>

/* This process is one of LIKWID's tools: it keeps the node's time from now on. */
void native_time_start(void);

/* CLOCK_MONOTONIC of the node in ns, and what is added to it for CLOCK_REALTIME; 0 in a process that does not keep the
 * node's time. */
uint64_t native_time_now(void);
int64_t native_time_real_offset(void);

/* Sleeps for `ns` of the node. Returns what a signal, or the end of the program `until` (0: none), has left of it. */
uint64_t native_time_sleep(uint64_t ns, pid_t until);

/* A child that is about to run takes part in the node's time from now on. */
void native_time_child(pid_t child);

/* waitpid() in the node's time (clock.c): others do not wait for one that waits for a child. */
pid_t clock_waitpid(pid_t child, int *status, int options);

/* Around a wait for anything else. */
void native_time_leave(void);
void native_time_return(void);

#endif
