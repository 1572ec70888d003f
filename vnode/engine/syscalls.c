/* syscalls.c - effects of system calls on the order of threads, published counts and the clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "engine.h"
#include "perf.h"
#include "policy.h"
#include "sampling.h"
#include "waits.h"

enum {
    RECORD_BYTES = 32, /* one record of LIKWID's protocol with its access daemon */
    FUTEX_COMMAND = 0x7f,
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
    FUTEX_REQUEUE = 3,
    FUTEX_CMP_REQUEUE = 4,
    FUTEX_WAKE_OP = 5,
    FUTEX_LOCK_PI = 6,
    FUTEX_WAIT_BITSET = 9,
    FUTEX_WAKE_BITSET = 10,
    ADVICE_DONTNEED = 4,
    SET_NAME = 15,           /* of prctl */
    PIDFD_SEND_SIGNAL = 424, /* Linux' number, which Valgrind lacks */
    CHILD_CLEARTID = 0x00200000,
    YIELD_NS = 500 /* lmbench: a context switch takes some 100 ns to a microsecond */
};

static Bool is_socket(Int fd) {
    struct vg_stat status;
    return VG_(fstat)(fd, &status) == 0 && VKI_S_ISSOCK(status.mode);
}

/* Whether the call may send a record to an access daemon. */
static Bool sends_record(UInt number, const UWord *arguments) {
    return (number == __NR_write || number == __NR_sendto) && arguments[2] == RECORD_BYTES;
}

/* Wakes the threads before the kernel sees the call, so that their order does not depend on how fast the host wakes
 * them. */
static void futex(ThreadId tid, const UWord *arguments) {
    Addr address = arguments[0];
    struct engine_thread *thread = &engine.thread[tid];
    switch (arguments[1] & FUTEX_COMMAND) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        if (!answer_readable(address, sizeof(UInt)) || *(const volatile UInt *)address != (UInt)arguments[2])
            return; /* returns at once */
        thread->futex = address;
        threads_leave(tid);
        threads_block(tid);
        return;
    case FUTEX_LOCK_PI:
        thread->futex = address;
        threads_block(tid);
        return;
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        threads_wake_futex(address, (UInt)arguments[2], threads_time(tid));
        for (ThreadId other = 1; other <= engine.last_thread; other++)
            if (engine.thread[other].futex == address)
                engine.thread[other].futex = arguments[4];
        return;
    case FUTEX_WAKE:
    case FUTEX_WAKE_OP:
    case FUTEX_WAKE_BITSET:
        threads_wake_futex(address, (UInt)arguments[2], threads_time(tid));
        return;
    default:
        return;
    }
}

/* The kernel's scheduler takes time even if nobody else waits for the core. Without that, a thread that yields in a
 * loop would count some hundred times as many instructions as natively. */
static void yield(ThreadId tid) {
    engine.thread[tid].time = threads_time(tid) + time_cycles_of_ns(YIELD_NS);
    threads_yield(tid);
}

static Bool makes_process(UInt number, const UWord *arguments) {
    return number == __NR_fork || number == __NR_vfork || (number == __NR_clone && !(arguments[0] & VKI_CLONE_THREAD));
}

static Bool sends_signal(UInt number) {
    return number == __NR_kill || number == __NR_tkill || number == __NR_tgkill || number == __NR_rt_sigqueueinfo ||
           number == __NR_rt_tgsigqueueinfo || number == PIDFD_SEND_SIGNAL;
}

static void execute(ThreadId tid, const UWord *arguments) {
    const HChar *path = (const HChar *)arguments[0];
    sampling_write();
    inherit_hand_on(tid);
    host_spread();
    if (VG_(am_is_valid_for_client)((Addr)path, 1, VKI_PROT_READ)) /* otherwise the kernel rejects it */
        children_before_exec(tid, path);
}

/* A single thread keeps its turn, whatever it waits for; events count its wait. */
static void await(ThreadId tid, UInt number, const UWord *arguments) {
    Bool ordered = engine.last_thread > 1 || node_time_is_shared(), counted = perf_attached(tid, 0) != NULL;
    enum wait wait = ordered || counted ? waits_of(number, arguments) : WAIT_NONE;
    if (counted && (wait == WAIT_INSIDE || wait == WAIT_OUTSIDE) && waits_certainly(number, arguments))
        threads_leave(tid);
    if (!ordered)
        return;
    if (wait == WAIT_INSIDE && engine.last_thread > 1) {
        threads_block(tid);
        return;
    }
    if (wait != WAIT_NONE)
        engine.thread[tid].patience_ms = PATIENCE_OUTSIDE_MS;
    if (wait == WAIT_INSIDE || wait == WAIT_OUTSIDE)
        node_time_wait(tid);
}

static void pre_syscall(ThreadId tid, UInt number, UWord *arguments, UInt count) {
    (void)count;
    struct engine_thread *thread = &engine.thread[tid];
    thread->in_kernel = True;
    thread->call = number;
    thread->call_argument = arguments[0];
    thread->patience_ms = PATIENCE_MS;
    children_begin(tid);
    node_time_publish(tid, thread->lwp);
    if (sends_record(number, arguments) && is_socket((Int)arguments[0]))
        node_publish();
    else if (number == __NR_futex)
        futex(tid, arguments);
    else if (number == __NR_clone)
        thread->child_exit_futex = arguments[0] & CHILD_CLEARTID ? arguments[3] : 0;
    else if (number == __NR_set_tid_address)
        thread->exit_futex = arguments[0];
    else if (number == __NR_execve)
        execute(tid, arguments);
    else if (number == __NR_sched_yield)
        yield(tid);
    else
        await(tid, number, arguments);
}

static ULong later(ULong one, ULong other) {
    return one > other ? one : other;
}

static void post_syscall(ThreadId tid, UInt number, UWord *arguments, UInt count, SysRes result) {
    (void)count;
    struct engine_thread *thread = &engine.thread[tid];
    thread->in_kernel = False;
    thread->futex = 0;
    node_time_leave_kernel(tid);
    if (!thread->runnable)
        threads_wake(tid, later(threads_reached(), node_time_now(tid)));
    files_after(tid, number, arguments, !sr_isError(result));
    if (sr_isError(result)) {
        if (number == __NR_execve && engine.node->perf)
            perf_bells_resume();
        return;
    }
    if (number == __NR_clone)
        threads_child_named(tid, (Int)sr_Res(result));
    if (number == __NR_mmap) {
        code_mapped(arguments);
        tables_mapped(arguments, sr_Res(result));
        perf_tell_mapping(tid, sr_Res(result));
    }
    if (sends_signal(number))
        signals_sent();
    if (number == __NR_ptrace && arguments[0] == VKI_PTRACE_TRACEME)
        children_traced(tid);
    if (number == __NR_prctl && arguments[0] == SET_NAME)
        perf_tell_name(tid, (const HChar *)arguments[1], False);
    if (number == __NR_clone && (arguments[0] & VKI_CLONE_THREAD))
        perf_tell_started(tid, VG_(getpid)(), (Int)sr_Res(result));
    else if (makes_process(number, arguments) && sr_Res(result) != 0)
        perf_tell_started(tid, (Int)sr_Res(result), (Int)sr_Res(result));
    if (makes_process(number, arguments) && sr_Res(result) != 0 && !thread->measuring)
        node_time_await_child((Int)sr_Res(result));
    if (number == __NR_madvise && arguments[2] == ADVICE_DONTNEED)
        policy_drop(arguments[0], arguments[1]);
    time_after(tid, number, arguments);
    written_after(tid, (Int)sr_Res(result));
    /* The turn may end before the thread reads the answer, and the next thread publishes its own counts: wait until
     * the daemon has read. */
    if (engine.last_thread > 1 && sends_record(number, arguments))
        waits_for_answer((Int)arguments[0]);
}

void syscalls_install(void) {
    VG_(needs_syscall_wrapper)(pre_syscall, post_syscall);
}
