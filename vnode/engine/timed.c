/* timed.c - waits with a timeout in node time: poll, select, epoll and futexes; and all waits while timers run.
 *
 * The thread sleeps until its deadline as in time.c and regularly polls the kernel for the awaited event. LIKWID's
 * waits for its access daemon are left to the kernel: a daemon starts in zero node time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "timers.h"
#include "waits.h"

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000, NS_PER_US = 1000, SETS = 3, SET_WORDS = 16 };
enum { FUTEX_COMMAND = 0x7f, FUTEX_WAIT = 0, FUTEX_WAIT_BITSET = 9, FUTEX_REALTIME = 256, TIMED_OUT = 110 };

static ULong ns_at(Addr address) {
    const struct vki_timespec *time = (const struct vki_timespec *)address;
    if (address == 0 || !answer_readable(address, sizeof *time) || time->tv_sec < 0 || time->tv_nsec < 0)
        return FOR_EVER;
    return (ULong)time->tv_sec * NS_PER_S + (ULong)time->tv_nsec;
}

static ULong ns_of_timeval_at(Addr address) {
    const struct vki_timeval *time = (const struct vki_timeval *)address;
    if (address == 0 || !answer_readable(address, sizeof *time) || time->tv_sec < 0 || time->tv_usec < 0)
        return FOR_EVER;
    return (ULong)time->tv_sec * NS_PER_S + (ULong)time->tv_usec * NS_PER_US;
}

static ULong ns_of_ms(UWord ms) {
    return (Int)ms < 0 ? FOR_EVER : (ULong)(Int)ms * NS_PER_MS;
}

/* FUTEX_WAIT has a duration, FUTEX_WAIT_BITSET an absolute time of one of two clocks. */
static ULong ns_of_futex(ThreadId tid, const UWord *arguments) {
    UInt command = (UInt)arguments[1] & FUTEX_COMMAND;
    ULong ns = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ? ns_at(arguments[3]) : FOR_EVER;
    if (command == FUTEX_WAIT || ns == FOR_EVER)
        return ns;
    ULong now = time_ns(tid);
    if (arguments[1] & FUTEX_REALTIME)
        now += engine.origin_real_ns - engine.origin_monotonic_ns;
    return ns > now ? ns - now : 0;
}

static ULong timeout_of(ThreadId tid, UWord number, const UWord *arguments) {
    switch (number) {
    case __NR_poll:
        return ns_of_ms(arguments[2]);
    case __NR_ppoll:
        return ns_at(arguments[2]);
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
        return ns_of_ms(arguments[3]);
    case __NR_select:
        return ns_of_timeval_at(arguments[4]);
    case __NR_pselect6:
        return ns_at(arguments[4]);
    case __NR_rt_sigtimedwait:
        return ns_at(arguments[2]);
    case __NR_futex:
        return ns_of_futex(tid, arguments);
    default:
        return FOR_EVER;
    }
}

/* The kernel clears the sets if nothing is ready. */
static Long select_now(const UWord *arguments) {
    static const struct vki_timeval none = {0, 0};
    ULong sets[SETS][SET_WORDS];
    SizeT bytes = (arguments[0] + 63) / 64 * sizeof(ULong);
    if (bytes > sizeof sets[0])
        return -VKI_EINVAL;
    for (UInt i = 0; i < SETS; i++) {
        if (arguments[1 + i] && !answer_writable(arguments[1 + i], bytes))
            return -VKI_EFAULT;
        if (arguments[1 + i])
            VG_(memcpy)(sets[i], (const void *)arguments[1 + i], bytes);
    }
    struct vki_timeval timeout = none;
    Long result = core_call(__NR_select, arguments[0], arguments[1], arguments[2], arguments[3], (UWord)&timeout, 0);
    for (UInt i = 0; i < SETS && result == 0; i++)
        if (arguments[1 + i])
            VG_(memcpy)((void *)arguments[1 + i], sets[i], bytes);
    return result;
}

static void clear_sets(const UWord *arguments) {
    for (UInt i = 0; i < SETS; i++)
        if (arguments[1 + i])
            VG_(memset)((void *)arguments[1 + i], 0, (arguments[0] + 63) / 64 * sizeof(ULong));
}

static Long signal_now(const UWord *arguments) {
    static const struct vki_timespec none = {0, 0};
    Long result = core_call(__NR_rt_sigtimedwait, arguments[0], arguments[1], (UWord)&none, arguments[3], 0, 0);
    return result == -VKI_EAGAIN ? 0 : result;
}

/* Wake-ups within this process end the wait through threads_wake_futex(); this checks for a changed value. */
static Long futex_now(const UWord *arguments) {
    if (!answer_readable(arguments[0], sizeof(UInt)))
        return -VKI_EFAULT;
    return *(const volatile UInt *)arguments[0] != (UInt)arguments[2] ? -VKI_EAGAIN : 0;
}

Long timed_attempt(ThreadId tid) {
    const UWord *a = engine.thread[tid].timed_arguments;
    switch (engine.thread[tid].timed_call) {
    case __NR_poll:
    case __NR_ppoll:
        return core_call(__NR_poll, a[0], a[1], 0, 0, 0, 0);
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
        return core_call(__NR_epoll_wait, a[0], a[1], a[2], 0, 0, 0);
    case __NR_select:
    case __NR_pselect6:
        return select_now(a);
    case __NR_rt_sigtimedwait:
        return signal_now(a);
    case __NR_futex:
        return futex_now(a);
    default:
        return !waits_still(engine.thread[tid].timed_call, a);
    }
}

static void begin(ThreadId tid, UWord number, const UWord *arguments) {
    struct engine_thread *thread = &engine.thread[tid];
    thread->timed = True;
    thread->timed_call = (UInt)number;
    VG_(memcpy)(thread->timed_arguments, arguments, sizeof thread->timed_arguments);
}

/* Returns as timed_attempt(), or -EINTR after a signal. */
static Long wait(ThreadId tid, ULong ns) {
    struct engine_thread *thread = &engine.thread[tid];
    thread->result = 0;
    if (thread->timed_call == __NR_futex) {
        thread->futex = thread->timed_arguments[0];
        thread->blocked = ++engine.blocks;
    }
    ULong left = time_left(tid, ns);
    while (left && !thread->result && !signals_interrupt(tid)) /* another thread has taken the signal */
        left = time_left(tid, left);
    thread->futex = 0;
    return thread->result ? thread->result : left ? -VKI_EINTR : 0;
}

/* Whether timed_attempt() has the call's result. */
static Bool is_attempted(UWord number, const UWord *arguments) {
    UInt command = (UInt)arguments[1] & FUTEX_COMMAND;
    switch (number) {
    case __NR_poll:
    case __NR_ppoll:
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
    case __NR_select:
    case __NR_pselect6:
    case __NR_rt_sigtimedwait:
        return True;
    case __NR_futex:
        return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
    default:
        return False;
    }
}

static Long result_of(UWord number, const UWord *arguments, Long waited) {
    if (number == __NR_futex)
        return waited == 0 ? -TIMED_OUT : waited == TIMED_WOKEN ? 0 : waited;
    if (number == __NR_rt_sigtimedwait)
        return waited == 0 ? -VKI_EAGAIN : waited;
    if (waited == 0 && (number == __NR_select || number == __NR_pselect6))
        clear_sets(arguments);
    return waited;
}

/* Whether the kernel goes on with a call without a timeout after a signal whose action asks for that. */
static Bool is_restarted(UWord number, const UWord *arguments) {
    Bool never = number == __NR_pause || number == __NR_rt_sigsuspend;
    return number == __NR_futex || (!never && !is_attempted(number, arguments));
}

/* Waits while timers run. Returns as wait(); 0: none runs any more. */
static Long wait_for_timers(ThreadId tid) {
    Long result = 0;
    for (ULong left; result == 0 && (left = timers_left(tid)) != FOR_EVER;)
        result = wait(tid, left);
    return result == 0 && signals_interrupt(tid) ? -VKI_EINTR : result;
}

/* Whether the thread waits here, in the node's time, before or instead of the kernel. */
static Bool waits_here(ThreadId tid, UWord number, const UWord *arguments, ULong ns) {
    if (engine.thread[tid].measuring)
        return False;
    if (ns != FOR_EVER)
        return ns > 0 || number == __NR_futex;
    return engine.timers_running && (is_attempted(number, arguments) || waits_still((UInt)number, arguments));
}

Bool timed_answer(ThreadId tid, UWord number, const UWord *arguments, Long *answer) {
    ULong ns = timeout_of(tid, number, arguments);
    Bool ends = ns != FOR_EVER;
    if (!waits_here(tid, number, arguments, ns))
        return False;
    begin(tid, number, arguments);
    Long result = timed_attempt(tid);
    if (result == 0)
        result = ends ? wait(tid, ns) : wait_for_timers(tid);
    engine.thread[tid].timed = False;
    engine.thread[tid].result = 0;
    if (result == -VKI_EINTR) {
        Bool again = !ends && is_restarted(number, arguments) && signals_restart(tid);
        *answer = again ? TIMED_AGAIN : -VKI_EINTR;
        return signals_await(tid); /* otherwise the kernel finds the signal, with the call's own mask */
    }
    if (!is_attempted(number, arguments) || (result == 0 && !ends))
        return False;
    *answer = result_of(number, arguments, result);
    return True;
}
