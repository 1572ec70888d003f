/* affinity.c - the threads' simulated cores, and the system calls to query and set them.
 *
 * A thread takes the lowest core of its mask without another thread, else the lowest with waiting threads only, else
 * the lowest of its mask. It keeps the core until its mask changes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "perf.h"

/* Linux' core set of a machine with up to 64 cores. */
typedef ULong kernel_mask;

ULong affinity_all(void) {
    return ~0ULL >> (SIM_CORES_MAX - engine.cores);
}

/* How much of the core others use. */
enum { EMPTY, WAITING, RUNNING };

static UInt use_of(UInt core, ThreadId besides) {
    UInt use = EMPTY;
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++) {
        const struct engine_thread *thread = &engine.thread[tid];
        UInt its = thread->runnable ? RUNNING : WAITING;
        if (tid != besides && thread->alive && thread->core == core && its > use)
            use = its;
    }
    return use;
}

void affinity_place(ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    UInt best = RUNNING + 1;
    for (UInt core = 0; core < engine.cores; core++) {
        UInt use = thread->mask >> core & 1 ? use_of(core, tid) : best;
        if (use < best) {
            best = use;
            thread->core = core;
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
        threads_leave(tid);
        affinity_place(tid);
        perf_happened(tid, PERF_MIGRATIONS);
        if (tid == engine.running) {
            node_core_changed();
            threads_yield(tid);
        }
    }
    return True;
}

/* ---- system calls ---- */

/* Another process: LIKWID pins its access daemon, which has no core on the node. */
static Bool is_elsewhere(Int lwp) {
    return VG_(kill)(lwp, 0) != -1;
}

Long affinity_sched_set(ThreadId tid, const UWord *arguments) {
    kernel_mask mask = 0;
    SizeT bytes = arguments[1] < sizeof mask ? arguments[1] : sizeof mask;
    if (!answer_readable(arguments[2], bytes))
        return -VKI_EFAULT;
    VG_(memcpy)(&mask, (const void *)arguments[2], bytes);
    ThreadId named = threads_named(tid, (Int)arguments[0]);
    if (named == VG_INVALID_THREADID && !is_elsewhere((Int)arguments[0]))
        return -VKI_ESRCH;
    if (named == VG_INVALID_THREADID)
        return mask & affinity_all() ? 0 : -VKI_EINVAL;
    return affinity_set(named, mask) ? 0 : -VKI_EINVAL;
}

Long affinity_sched_get(ThreadId tid, const UWord *arguments) {
    UInt length = (UInt)arguments[1]; /* Linux has unsigned int here */
    if ((ULong)length * 8 < engine.cores || length % sizeof(kernel_mask))
        return -VKI_EINVAL;
    ThreadId named = threads_named(tid, (Int)arguments[0]);
    if (named == VG_INVALID_THREADID && !is_elsewhere((Int)arguments[0]))
        return -VKI_ESRCH;
    kernel_mask mask = named == VG_INVALID_THREADID ? affinity_all() : engine.thread[named].mask;
    if (!answer_writable(arguments[2], sizeof mask))
        return -VKI_EFAULT;
    VG_(memcpy)((void *)arguments[2], &mask, sizeof mask);
    return sizeof mask;
}

Long affinity_getcpu(ThreadId tid, const UWord *arguments) {
    const UInt answers[] = {engine.thread[tid].core, sim_numa_of(&engine.node->config, engine.thread[tid].core)};
    for (UInt i = 0; i < 2; i++) {
        if (!arguments[i])
            continue;
        if (!answer_writable(arguments[i], sizeof answers[i]))
            return -VKI_EFAULT;
        *(UInt *)arguments[i] = answers[i];
    }
    return 0;
}
