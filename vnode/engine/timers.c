/* timers.c - the timers of the program, and what happens when they expire.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "timers.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"

enum { BY_TIMER = -2, BY_KERNEL = 0x80 };                         /* si_code: SI_TIMER, SI_KERNEL */
enum { OF_PROCESS = 2, OF_THREAD = 3, OVERRUN_MAX = 0x7fffffff }; /* Linux' clocks */

static Word number_of_timers(void) {
    return engine.timers ? VG_(sizeXA)(engine.timers) : 0;
}

static struct timer *timer_at(Word index) {
    return VG_(indexXA)(engine.timers, index);
}

struct timer *timers_find(enum timer_form form, Int number) {
    for (Word i = 0; i < number_of_timers(); i++)
        if (timer_at(i)->form == form && timer_at(i)->number == number)
            return timer_at(i);
    return NULL;
}

struct timer *timers_add(enum timer_form form, Int number, Int clock, Int signal) {
    struct timer timer = {.form = form, .number = number, .clock = clock, .signal = signal};
    if (!engine.timers)
        engine.timers = VG_(newXA)(VG_(malloc), "timers", VG_(free), sizeof timer);
    return timer_at(VG_(addToXA)(engine.timers, &timer));
}

void timers_start(struct timer *timer, ULong next, ULong interval) {
    engine.timers_running += (next != 0) - (timer->next != 0);
    timer->next = next;
    timer->interval = interval;
    timer->overrun = 0;
}

void timers_remove(enum timer_form form, UWord first, UWord last) {
    for (Word i = number_of_timers(); i-- > 0;) {
        struct timer *timer = timer_at(i);
        if (timer->form != form || (UWord)timer->number < first || (UWord)timer->number > last)
            continue;
        timers_start(timer, 0, 0);
        VG_(removeIndexXA)(engine.timers, i);
    }
}

static Bool counts_processor_time(const struct timer *timer) {
    return timer->clock == OF_PROCESS || timer->clock == OF_THREAD || timer->clock < 0;
}

/* Whether somebody must wake when it expires: not if nobody sees that. Who blocks a signal may wait for it, even if it
 * is ignored: make lets its programs ignore those of SIGEV_THREAD. */
static Bool wakes(const struct timer *timer) {
    return timer->next && (timer->signal || timer->form == TIMER_FILE) && !counts_processor_time(timer);
}

ULong timers_left(ThreadId tid) {
    ULong least = FOR_EVER;
    for (Word i = 0; engine.timers_running && i < number_of_timers(); i++) {
        const struct timer *timer = timer_at(i);
        if (!wakes(timer))
            continue;
        ULong now = time_of_clock(tid, timer->clock), left = timer->next > now ? timer->next - now : 0;
        least = left < least ? left : least;
    }
    return least;
}

/* ---- expiration ---- */

static Bool takes(ThreadId tid, Int signal) {
    vki_sigset_t blocked = {{0}};
    if (tid == VG_INVALID_THREADID || !engine.thread[tid].alive)
        return False;
    VG_(do_sys_sigprocmask)(tid, VKI_SIG_BLOCK, NULL, &blocked);
    return !(blocked.sig[0] >> (signal - 1) & 1);
}

/* The thread that gets the signal; VG_INVALID_THREADID: all block it. The host would choose among those that sleep in
 * the kernel. As Linux, prefers the first thread, but the running one if the timer counts processor time. */
static ThreadId taker_of(ThreadId tid, const struct timer *timer) {
    ThreadId first = threads_named(tid, VG_(getpid)());
    if (counts_processor_time(timer) && takes(tid, timer->signal))
        return tid;
    if (takes(first, timer->signal))
        return first;
    for (ThreadId other = 1; other <= engine.last_thread; other++)
        if (takes(other, timer->signal))
            return other;
    return VG_INVALID_THREADID;
}

/* lwp: 0: to the process. A thread may send codes of the kernel's to itself only. */
static void queue(Int lwp, vki_siginfo_t *info) {
    UWord own = (UWord)VG_(getpid)(), signal = (UWord)info->si_signo;
    for (UInt tries = 0; tries < 2; tries++) {
        SysRes sent = lwp ? VG_(do_syscall)(__NR_rt_tgsigqueueinfo, own, (UWord)lwp, signal, (UWord)info, 0, 0, 0, 0)
                          : VG_(do_syscall)(__NR_rt_sigqueueinfo, own, signal, (UWord)info, 0, 0, 0, 0, 0);
        if (!sr_isError(sent))
            return;
        info->si_code = BY_TIMER;
    }
}

/* Linux queues one signal of a timer at a time: takes back the one that still waits for this thread or the process.
 * Returns the number of expirations that it stood for. */
static ULong take_back(ThreadId tid, const struct timer *timer) {
    static const struct vki_timespec at_once = {0, 0};
    vki_sigset_t set = {{1ULL << (timer->signal - 1)}};
    vki_siginfo_t info;
    if (sr_isError(
            VG_(do_syscall)(__NR_rt_sigtimedwait, (UWord)&set, (UWord)&info, (UWord)&at_once, sizeof set, 0, 0, 0, 0)))
        return 0;
    if (info.si_code == BY_TIMER && info._sifields._timer._tid == timer->number)
        return 1 + (ULong)info._sifields._timer._overrun;
    queue(engine.thread[tid].lwp, &info); /* somebody else's */
    return 0;
}

static void send(ThreadId tid, const struct timer *timer) {
    ThreadId to = timer->lwp ? threads_named(tid, timer->lwp) : taker_of(tid, timer);
    vki_siginfo_t info;
    VG_(memset)(&info, 0, sizeof info);
    info.si_signo = timer->signal;
    info.si_code = timer->form == TIMER_POSIX ? BY_TIMER : BY_KERNEL;
    if (timer->form == TIMER_POSIX) {
        info._sifields._timer._tid = timer->number;
        info._sifields._timer._overrun = timer->overrun;
        info._sifields._timer._sigval.sival_ptr = (void *)timer->value;
    }
    queue(to == VG_INVALID_THREADID ? 0 : engine.thread[to].lwp, &info);
    if (to != tid && to != VG_INVALID_THREADID && !signals_ignored(timer->signal))
        threads_interrupt(to, threads_time(tid));
    signals_sent();
    engine.deliver = True;
}

static void expire(ThreadId tid, struct timer *timer, ULong now) {
    ULong times = timer->interval ? 1 + (now - timer->next) / timer->interval : 1;
    timers_start(timer, timer->interval ? timer->next + times * timer->interval : 0, timer->interval);
    if (timer->form == TIMER_FILE)
        VG_(write)(timer->number, &times, sizeof times);
    if (!timer->signal)
        return;
    if (timer->form == TIMER_POSIX)
        times += take_back(tid, timer);
    timer->overrun = times - 1 < OVERRUN_MAX ? (Int)(times - 1) : OVERRUN_MAX;
    send(tid, timer);
}

void timers_look(ThreadId tid) {
    for (Word i = 0; engine.timers_running && i < number_of_timers(); i++) {
        struct timer *timer = timer_at(i);
        ULong now = timer->next ? time_of_clock(tid, timer->clock) : 0;
        if (timer->next && now >= timer->next)
            expire(tid, timer, now);
    }
}

void timers_forked(void) {
    for (Word i = 0; i < number_of_timers(); i++)
        timers_start(timer_at(i), 0, 0);
    timers_remove(TIMER_POSIX, 0, ~(UWord)0);
}
