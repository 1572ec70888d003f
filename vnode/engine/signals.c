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

static Bool is_ignored(Int signal) {
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

Bool signals_await(ThreadId tid) {
    vki_sigset_t blocked = {{0}};
    ULong deliverable = pending();
    if (deliverable == 0)
        return False;
    VG_(do_sys_sigprocmask)(tid, VKI_SIG_BLOCK, NULL, &blocked);
    deliverable &= ~blocked.sig[0];
    for (Int signal = 1; deliverable; signal++, deliverable >>= 1)
        if ((deliverable & 1) && !is_ignored(signal))
            return True;
    return False;
}

void signals_sent(void) {
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++)
        engine.thread[tid].must_look = True;
}

/* Valgrind looks for signals after each system call and at the end of each turn, by three system calls of its own. The
 * end of a turn needs fewer. A thread alone asks whether anything is pending. A thread next to others looks only if
 * this process may have sent a signal. It sees signals from outside, those of the kernel's timers among them, after
 * POLL_EVERY turns. Some signals are kept by Valgrind and do not count as pending: those that faults raise, whoever
 * sent them. They are seen in the same way. */
void POLL_WRAPPER(ThreadId tid) {
    enum { POLL_EVERY = 16 };
    struct engine_thread *thread = &engine.thread[tid];
    if (!thread->must_look && ++thread->unpolled < POLL_EVERY && (!engine.pieces || pending() == 0))
        return;
    thread->must_look = False;
    thread->unpolled = 0;
    POLL_WRAPPED(tid);
}
