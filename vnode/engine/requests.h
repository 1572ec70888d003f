/* requests.h - requests of a program to the engine (Valgrind client requests).
 *
 * Usable from any C program; needs only valgrind/valgrind.h. Outside the engine, or under another Valgrind tool,
 * every request returns 0: call engine_present() first. Cores are numbered as in vnode/sim/config.h; a mask has bit c
 * set for core c. Threads are named by their Linux thread id, 0 meaning the calling thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_REQUESTS_H
#define ASSAY_VNODE_ENGINE_REQUESTS_H

#include <stdint.h>
#include <valgrind/valgrind.h>

enum engine_request {
    ENGINE_PRESENT = VG_USERREQ_TOOL_BASE('A', 'Y'),
    ENGINE_SET_AFFINITY,
    ENGINE_GET_AFFINITY,
    ENGINE_GET_CPU,
    ENGINE_TIME_NOW,
    ENGINE_SET_MEASURING,
    ENGINE_REALTIME_OFFSET
};

/* 1 if the program runs on the virtual node. */
static inline int engine_present(void) {
    return (int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_PRESENT, 0, 0, 0, 0, 0);
}

/* Restricts a thread to the cores of `mask`; cores that the node does not have are ignored, as in Linux. The thread
 * moves at once if its core is not in the mask. 1: done; 0: no such thread (ESRCH), or no core of the node in the
 * mask (EINVAL); nothing changed. */
static inline int engine_set_affinity(int32_t tid, uint64_t mask) {
    return (int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_SET_AFFINITY, tid, mask, 0, 0, 0);
}

/* The cores a thread may use; 0: no such thread. A new thread inherits its creator's mask. */
static inline uint64_t engine_get_affinity(int32_t tid) {
    return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_GET_AFFINITY, tid, 0, 0, 0, 0);
}

/* The calling thread's core. */
static inline uint32_t engine_get_cpu(void) {
    return (uint32_t)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_GET_CPU, 0, 0, 0, 0, 0);
}

/* The calling thread's virtual clock in nanoseconds: CLOCK_MONOTONIC of the node, shared by its processes. It agrees
 * with rdtsc (clock_hz ticks per second) and never goes back within a thread. */
static inline uint64_t engine_time_now(void) {
    return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_TIME_NOW, 0, 0, 0, 0, 0);
}

/* CLOCK_REALTIME minus engine_time_now(). */
static inline int64_t engine_realtime_offset(void) {
    return (int64_t)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_REALTIME_OFFSET, 0, 0, 0, 0, 0);
}

/* Marks the calling thread (1) or unmarks it (0). Children forked by a marked thread inherit the mark and are not
 * counted; programs that a marked thread or these children execute run natively. Returns the previous mark. */
static inline int engine_set_measuring(int on) {
    return (int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_SET_MEASURING, on, 0, 0, 0, 0);
}

#endif
