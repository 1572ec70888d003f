/* signals.c - whether a signal is pending that interrupts the thread.
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

Bool signals_await(ThreadId tid) {
    vki_sigset_t pending = {{0}}, blocked = {{0}};
    VG_(do_syscall)(__NR_rt_sigpending, (UWord)&pending, sizeof pending, 0, 0, 0, 0, 0, 0);
    if (pending.sig[0] == 0)
        return False;
    VG_(do_sys_sigprocmask)(tid, VKI_SIG_BLOCK, NULL, &blocked);
    ULong deliverable = pending.sig[0] & ~blocked.sig[0];
    for (Int signal = 1; deliverable; signal++, deliverable >>= 1)
        if ((deliverable & 1) && !is_ignored(signal))
            return True;
    return False;
}
