/* affinity.c - which simulated core a thread sits on.
 *
 * A thread takes the lowest core of its mask on which no other runnable thread sits, else the lowest of its mask, and
 * keeps it until its mask changes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"

#include "engine.h"

ULong affinity_all(void) {
    return (1ULL << engine.cores) - 1; /* at most SIM_CORES_MAX = 32 */
}

static Bool is_used(UInt core, ThreadId besides) {
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++)
        if (tid != besides && engine.thread[tid].alive && engine.thread[tid].runnable &&
            engine.thread[tid].core == core)
            return True;
    return False;
}

void affinity_place(ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    thread->core = (UInt)__builtin_ctzll(thread->mask);
    for (UInt core = 0; core < engine.cores; core++) {
        if ((thread->mask >> core & 1) && !is_used(core, tid)) {
            thread->core = core;
            return;
        }
    }
}

Bool affinity_set(ThreadId tid, ULong mask) {
    struct engine_thread *thread = &engine.thread[tid];
    mask &= affinity_all();
    if (mask == 0)
        return False;
    thread->mask = mask;
    if (!(mask >> thread->core & 1)) {
        thread->time = threads_time(tid);
        affinity_place(tid);
        if (tid == engine.running) {
            node_core_changed();
            threads_yield(tid);
        }
    }
    return True;
}
