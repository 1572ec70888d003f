/* signals.c - whether a signal is pending, and whether it interrupts the thread.
 *
 * The engine blocks all signals except during system calls, so they stay pending on the host, where they can be
 * queried.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "waits.h"

Bool signals_ignored(Int signal) {
    vki_sigaction_fromK_t action;
    if (sr_isError(VG_(do_sys_sigaction)(signal, NULL, &action)) || action.ksa_handler == VKI_SIG_IGN)
        return True;
    return action.ksa_handler == VKI_SIG_DFL &&
           (signal == VKI_SIGCHLD || signal == VKI_SIGCONT || signal == VKI_SIGURG || signal == VKI_SIGWINCH);
}

static ULong pending(void) {
    vki_sigset_t set = {{0}};
    VG_(do_syscall)(__NR_rt_sigpending, (UWord)&set, sizeof set, 0, 0, 0, 0, 0, 0);
    return set.sig[0];
}

/* A signal of the set that is pending, 0: none. */
static Int pending_of(ULong set, Bool ignored_too) {
    set &= pending();
    for (Int signal = 1; set; signal++, set >>= 1)
        if ((set & 1) && (ignored_too || !signals_ignored(signal)))
            return signal;
    return 0;
}

Bool signals_pending(ULong set, Bool ignored_too) {
    return pending_of(set, ignored_too) != 0;
}

/* One that the thread will receive. */
static Int deliverable(ThreadId tid) {
    vki_sigset_t blocked = {{0}};
    VG_(do_sys_sigprocmask)(tid, VKI_SIG_BLOCK, NULL, &blocked);
    return pending_of(~blocked.sig[0], False);
}

Bool signals_await(ThreadId tid) {
    return deliverable(tid) != 0;
}

Bool signals_interrupt(ThreadId tid) {
    const struct engine_thread *thread = &engine.thread[tid];
    return signals_await(tid) || (thread->timed && waits_admits_signal(thread->timed_call, thread->timed_arguments));
}

Bool signals_restart(ThreadId tid) {
    vki_sigaction_fromK_t action;
    return !sr_isError(VG_(do_sys_sigaction)(deliverable(tid), NULL, &action)) && (action.sa_flags & VKI_SA_RESTART);
}

void signals_sent(void) {
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++)
        engine.thread[tid].must_look = True;
}

/* Valgrind looks for signals after each system call and at the end of each turn, by three system calls of its own. The
 * end of a turn needs fewer. A thread alone asks whether anything is pending. A thread next to others looks only if
 * this process may have sent a signal. It sees signals from outside after POLL_EVERY turns. Some signals are kept by
 * Valgrind and do not count as pending: those that faults raise, whoever sent them. They are seen in the same way. */
void POLL_WRAPPER(ThreadId tid) {
    enum { POLL_EVERY = 16 };
    struct engine_thread *thread = &engine.thread[tid];
    if (!thread->must_look && ++thread->unpolled < POLL_EVERY && (!engine.pieces || pending() == 0))
        return;
    thread->must_look = False;
    thread->unpolled = 0;
    POLL_WRAPPED(tid);
}
