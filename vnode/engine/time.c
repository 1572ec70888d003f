/* time.c - the virtual clock: what rdtsc, clock_gettime and sleeping show to the program.
 *
 * A thread's clock is its core's simulated time. The clocks start at the host's values of the moment the process image
 * was started, so that they are plausible dates and grow from image to image; differences are simulated time alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000, TIMER_ABSTIME = 1, MOMENT_NS = 5000000 };

static ULong host_ns(Int clock) {
    struct vki_timespec now;
    VG_(clock_gettime)(&now, clock);
    return (ULong)now.tv_sec * NS_PER_S + (ULong)now.tv_nsec;
}

/* Seconds and the rest apart: products stay below 2^64 for clocks up to 18 GHz. */
static ULong ns_of_cycles(ULong cycles) {
    ULong hz = engine.node->config.clock_hz;
    return cycles / hz * NS_PER_S + cycles % hz * NS_PER_S / hz;
}

ULong time_cycles_of_ns(ULong ns) {
    ULong hz = engine.node->config.clock_hz;
    return ns / NS_PER_S * hz + ns % NS_PER_S * hz / NS_PER_S;
}

void time_start(void) {
    engine.start_monotonic_ns = host_ns(VKI_CLOCK_MONOTONIC);
    engine.start_real_ns = host_ns(VKI_CLOCK_REALTIME);
    engine.start_cycles = time_cycles_of_ns(engine.start_monotonic_ns);
}

ULong time_tsc(ThreadId tid) {
    return engine.start_cycles + threads_time(tid);
}

ULong time_ns(ThreadId tid) {
    return engine.start_monotonic_ns + ns_of_cycles(threads_time(tid));
}

/* A short part of it passes really, for everybody: a program that polls for something from outside of the engine would
 * else give up before the host has done anything. */
void time_sleep(ThreadId tid, ULong ns) {
    const struct vki_timespec moment = {0, (long)(ns < MOMENT_NS ? ns : MOMENT_NS)};
    VG_(do_syscall)(__NR_nanosleep, (UWord)&moment, 0, 0, 0, 0, 0, 0, 0);
    engine.thread[tid].time = threads_time(tid) + time_cycles_of_ns(ns);
    threads_yield(tid);
}

static ULong elapsed_ns(void) {
    return ns_of_cycles(threads_time(engine.running));
}

static ULong clock_ns(Int clock) {
    switch (clock) {
    case 0: /* CLOCK_REALTIME */
    case 5: /* CLOCK_REALTIME_COARSE */
        return engine.start_real_ns + elapsed_ns();
    case 1: /* CLOCK_MONOTONIC */
    case 4: /* CLOCK_MONOTONIC_RAW */
    case 6: /* CLOCK_MONOTONIC_COARSE */
    case 7: /* CLOCK_BOOTTIME */
        return engine.start_monotonic_ns + elapsed_ns();
    default: /* the processor clocks of processes and threads */
        return elapsed_ns();
    }
}

static ULong duration_ns(const struct vki_timespec *duration) {
    return (ULong)duration->tv_sec * NS_PER_S + (ULong)duration->tv_nsec;
}

/* `since`: the time from which the duration counts, already gone. 0 or an error. */
static Long sleep_for(ThreadId tid, Addr duration, ULong since) {
    const struct vki_timespec *wanted = (const struct vki_timespec *)duration;
    if (!answer_readable(duration, sizeof *wanted))
        return -VKI_EFAULT;
    if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= NS_PER_S)
        return -VKI_EINVAL;
    if (duration_ns(wanted) > since)
        time_sleep(tid, duration_ns(wanted) - since);
    return 0;
}

Long time_nanosleep(ThreadId tid, const UWord *arguments) {
    return sleep_for(tid, arguments[0], 0);
}

Long time_clock_nanosleep(ThreadId tid, const UWord *arguments) {
    return sleep_for(tid, arguments[2], arguments[1] & TIMER_ABSTIME ? clock_ns((Int)arguments[0]) : 0);
}

static void answer_timespec(struct vki_timespec *answer, ULong ns) {
    answer->tv_sec = (vki_time_t)(ns / NS_PER_S);
    answer->tv_nsec = (long)(ns % NS_PER_S);
}

static void answer_timeval(struct vki_timeval *answer, ULong ns) {
    answer->tv_sec = (vki_time_t)(ns / NS_PER_S);
    answer->tv_usec = (long)(ns % NS_PER_S / NS_PER_US);
}

void time_after(UInt number, const UWord *arguments) {
    switch (number) {
    case __NR_clock_gettime:
        answer_timespec((struct vki_timespec *)arguments[1], clock_ns((Int)arguments[0]));
        break;
    case __NR_gettimeofday:
        if (arguments[0])
            answer_timeval((struct vki_timeval *)arguments[0], clock_ns(VKI_CLOCK_REALTIME));
        break;
    default:
        break;
    }
}
