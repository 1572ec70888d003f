/* requests.h - what a program of the virtual node can ask the engine for (Valgrind client requests).
 *
 * Usable from any C program or shim; needs only valgrind/valgrind.h. Outside the engine, or under another Valgrind
 * tool, every request returns 0: ask engine_present() first. Cores are numbered as in vnode/sim/config.h; a mask has
 * bit c set for core c. Threads are named by their Linux thread id, 0 meaning the calling thread.
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
    ENGINE_SLEEP,
    ENGINE_SET_MEASURING,
    ENGINE_REALTIME_OFFSET
};

/* 1 if the program runs on the virtual node. */
static inline int engine_present(void) {
    return (int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_PRESENT, 0, 0, 0, 0, 0);
}

/* Restricts a thread to the cores of `mask`; cores that the node does not have are ignored, as Linux does. The thread
 * moves at once if its core is not in the mask. 1 done; 0 no such thread, or no core of the node in the mask (nothing
 * changed: EINVAL or ESRCH to the caller). */
static inline int engine_set_affinity(int32_t tid, uint64_t mask) {
    return (int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_SET_AFFINITY, tid, mask, 0, 0, 0);
}

/* The cores that a thread may use; 0: no such thread. A new thread has the mask of its creator. */
static inline uint64_t engine_get_affinity(int32_t tid) {
    return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_GET_AFFINITY, tid, 0, 0, 0, 0);
}

/* The core that the calling thread runs on. */
static inline uint32_t engine_get_cpu(void) {
    return (uint32_t)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_GET_CPU, 0, 0, 0, 0, 0);
}

/* The virtual clock of the calling thread in nanoseconds: CLOCK_MONOTONIC of the node. It agrees with rdtsc (clock_hz
 * ticks a second) and never goes back within a thread; the node's other processes have the same. */
static inline uint64_t engine_time_now(void) {
    return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_TIME_NOW, 0, 0, 0, 0, 0);
}

/* What is added to that for CLOCK_REALTIME. */
static inline int64_t engine_realtime_offset(void) {
    return (int64_t)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_REALTIME_OFFSET, 0, 0, 0, 0, 0);
}

/* Idles the calling thread for `ns` virtual nanoseconds; other threads and processes of the node run meanwhile. Of the
 * real time a moment passes at least. Returns what a signal has left of it, else 0. */
static inline uint64_t engine_sleep(uint64_t ns) {
    return VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_SLEEP, ns, 0, 0, 0, 0);
}

/* Marks the calling thread (1) or ends that (0). Children that a marked thread forks are not counted, and programs that
 * it or they execute run natively. Children inherit the mark. Returns what it was. */
static inline int engine_set_measuring(int on) {
    return (int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, ENGINE_SET_MEASURING, on, 0, 0, 0, 0);
}

#endif
