/* clock.c - time and sleep of simulated processes: the engine's virtual clock. Native processes keep the host's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "calibration.h"
#include "shim.h"
#include "vnode/engine/requests.h"

#define SECOND INT64_C(1000000000)

/* Virtual time of a clock in ns, 0: this clock, or this process, keeps the host's time. */
static int64_t virtual_ns(clockid_t clock) {
    if (!shim()->active || !shim()->simulated)
        return 0;
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE && clock != CLOCK_MONOTONIC &&
        clock != CLOCK_MONOTONIC_RAW && clock != CLOCK_MONOTONIC_COARSE && clock != CLOCK_BOOTTIME)
        return 0;
    int64_t now = (int64_t)engine_time_now();
    int realtime = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (!now)
        return 0;
    return now + (realtime ? shim()->realtime_offset : shim()->monotonic_offset);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    int64_t now = virtual_ns(clock);
    if (!now)
        return REAL(clock_gettime)(clock, out);
    *out = (struct timespec){.tv_sec = now / SECOND, .tv_nsec = now % SECOND};
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    int64_t now = virtual_ns(CLOCK_REALTIME);
    if (!now)
        now = calibration_time();
    if (!now)
        return REAL(gettimeofday)(out, zone);
    *out = (struct timeval){.tv_sec = now / SECOND, .tv_usec = now % SECOND / 1000};
    return 0;
}

time_t time(time_t *out) {
    int64_t now = virtual_ns(CLOCK_REALTIME);
    if (!now)
        return REAL(time)(out);
    if (out)
        *out = now / SECOND;
    return now / SECOND;
}

static void virtual_sleep(int64_t ns) {
    engine_sleep((uint64_t)ns);
}

static int invalid(const struct timespec *t) {
    return t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= SECOND;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
    int64_t now = virtual_ns(clock);
    if (!now) {
        perfctr_before_sleep(__builtin_return_address(0));
        return REAL(clock_nanosleep)(clock, flags, wanted, left);
    }
    if (invalid(wanted))
        return EINVAL;
    int64_t ns = wanted->tv_sec * SECOND + wanted->tv_nsec - (flags & TIMER_ABSTIME ? now : 0);
    if (ns > 0)
        virtual_sleep(ns);
    return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    if (!virtual_ns(CLOCK_MONOTONIC))
        return calibration_sleep(wanted) ? 0 : REAL(nanosleep)(wanted, left);
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
    return errno ? -1 : 0;
}

int usleep(useconds_t us) {
    if (!virtual_ns(CLOCK_MONOTONIC))
        return REAL(usleep)(us);
    virtual_sleep((int64_t)us * 1000);
    return 0;
}

unsigned sleep(unsigned seconds) {
    if (!virtual_ns(CLOCK_MONOTONIC)) {
        perfctr_before_sleep(__builtin_return_address(0));
        return perfctr_sleep(seconds) ? 0 : REAL(sleep)(seconds);
    }
    virtual_sleep(seconds * SECOND);
    return 0;
}
