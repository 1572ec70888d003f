/* time.c - the virtual clock: results of rdtsc, clock_gettime and sleeps.
 *
 * A thread's clock is the node's time at the start of the process image plus its core's simulated time. The node's
 * clocks start with the host's, for plausible dates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "timers.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000, TIMER_ABSTIME = 1, MOMENT_NS = 5000000, FIRST_NAP_NS = 50000 };
enum { CPU_CLOCK_BITS = 3, CPU_CLOCK_OF_THREAD = 4 };

/* Converts seconds and the rest separately: products stay below 2^64 for clocks up to 18 GHz. */
static ULong ns_of_cycles(ULong cycles) {
    ULong hz = engine.node->config.clock_hz * engine.slowness;
    return cycles / hz * NS_PER_S + cycles % hz * NS_PER_S / hz;
}

ULong time_cycles_of_ns(ULong ns) {
    ULong hz = engine.node->config.clock_hz * engine.slowness;
    return ns / NS_PER_S * hz + ns % NS_PER_S * hz / NS_PER_S;
}

void time_start(void) {
    node_time_start();
    engine.start_cycles = time_cycles_of_ns(engine.origin_monotonic_ns + engine.start_ns);
}

ULong time_tsc(ThreadId tid) {
    return (engine.start_cycles + threads_time(tid)) / engine.slowness;
}

ULong time_ns(ThreadId tid) {
    return engine.origin_monotonic_ns + engine.start_ns + ns_of_cycles(threads_time(tid));
}

/* A short part of the sleep takes real time: a program that polls for something outside of the node would otherwise
 * give up before the host has acted. */
static void pass_moment(ThreadId tid, ULong ns) {
    struct engine_thread *thread = &engine.thread[tid];
    ULong left = ns < MOMENT_NS ? ns : MOMENT_NS, nap = thread->timed ? FIRST_NAP_NS : MOMENT_NS;
    if (thread->timed && (thread->timed_call == __NR_futex || engine.last_thread > 1))
        return;
    for (; left > 0 && !thread->result; nap *= 2) {
        const struct vki_timespec time = {0, (long)(nap < left ? nap : left)};
        VG_(do_syscall)(__NR_nanosleep, (UWord)&time, 0, 0, 0, 0, 0, 0, 0);
        left -= (ULong)time.tv_nsec;
        if (thread->timed)
            thread->result = timed_attempt(tid);
    }
}

ULong time_left(ThreadId tid, ULong ns) {
    pass_moment(tid, ns);
    ULong end = time_ns(tid) + ns;
    for (;;) {
        ULong now = time_ns(tid), left = end > now ? end - now : 0, timer = timers_left(tid);
        Bool first = timer < left;
        Bool slept = threads_sleep(tid, first ? time_cycles_of_ns(timer) + 1 : time_cycles_of_ns(left));
        timers_look(tid);
        now = time_ns(tid);
        if (!slept)
            return now < end ? end - now : 1;
        if (!first)
            return 0;
    }
}

/* CPU cycles of the thread or process of a Linux CPUCLOCK id; clocks of other processes stand still. */
static ULong named_cpu_cycles(ThreadId tid, Int clock) {
    Int named = ~(clock >> CPU_CLOCK_BITS);
    if (clock & CPU_CLOCK_OF_THREAD) {
        ThreadId thread = threads_named(tid, named);
        return thread == VG_INVALID_THREADID ? 0 : node_cpu_cycles(thread);
    }
    return named == 0 || named == VG_(getpid)() ? node_cpu_cycles(VG_INVALID_THREADID) : 0;
}

ULong time_of_clock(ThreadId tid, Int clock) {
    switch (clock) {
    case 0: /* CLOCK_REALTIME */
    case 5: /* CLOCK_REALTIME_COARSE */
        return time_ns(tid) - engine.origin_monotonic_ns + engine.origin_real_ns;
    case 1: /* CLOCK_MONOTONIC */
    case 4: /* CLOCK_MONOTONIC_RAW */
    case 6: /* CLOCK_MONOTONIC_COARSE */
    case 7: /* CLOCK_BOOTTIME */
        return time_ns(tid);
    case 2: /* CLOCK_PROCESS_CPUTIME_ID */
        return ns_of_cycles(node_cpu_cycles(VG_INVALID_THREADID));
    case 3: /* CLOCK_THREAD_CPUTIME_ID */
        return ns_of_cycles(node_cpu_cycles(tid));
    default:
        return ns_of_cycles(named_cpu_cycles(tid, clock));
    }
}

static ULong duration_ns(const struct vki_timespec *duration) {
    return (ULong)duration->tv_sec * NS_PER_S + (ULong)duration->tv_nsec;
}

static void answer_timespec(struct vki_timespec *answer, ULong ns) {
    answer->tv_sec = (vki_time_t)(ns / NS_PER_S);
    answer->tv_nsec = (long)(ns % NS_PER_S);
}

static void answer_timeval(struct vki_timeval *answer, ULong ns) {
    answer->tv_sec = (vki_time_t)(ns / NS_PER_S);
    answer->tv_usec = (long)(ns % NS_PER_S / NS_PER_US);
}

/* `since`: start of the duration. `left`: where to store the time left after a signal, or 0. */
static Long sleep_for(ThreadId tid, Addr duration, ULong since, Addr left) {
    const struct vki_timespec *wanted = (const struct vki_timespec *)duration;
    if (!answer_readable(duration, sizeof *wanted))
        return -VKI_EFAULT;
    if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= NS_PER_S)
        return -VKI_EINVAL;
    ULong ns = duration_ns(wanted) > since ? time_left(tid, duration_ns(wanted) - since) : 0;
    if (ns && left && answer_writable(left, sizeof *wanted))
        answer_timespec((struct vki_timespec *)left, ns);
    return ns ? -VKI_EINTR : 0;
}

Long time_nanosleep(ThreadId tid, const UWord *arguments) {
    return sleep_for(tid, arguments[0], 0, arguments[1]);
}

Long time_clock_nanosleep(ThreadId tid, const UWord *arguments) {
    Bool absolute = (arguments[1] & TIMER_ABSTIME) != 0;
    return sleep_for(tid, arguments[2], absolute ? time_of_clock(tid, (Int)arguments[0]) : 0,
                     absolute ? 0 : arguments[3]);
}

void time_after(ThreadId tid, UInt number, const UWord *arguments) {
    switch (number) {
    case __NR_clock_gettime:
        answer_timespec((struct vki_timespec *)arguments[1], time_of_clock(tid, (Int)arguments[0]));
        break;
    case __NR_gettimeofday:
        if (arguments[0])
            answer_timeval((struct vki_timeval *)arguments[0], time_of_clock(tid, VKI_CLOCK_REALTIME));
        break;
    default:
        break;
    }
}
