/* clock.c - time and sleep: the engine's virtual clock in simulated processes, where the engine answers sleeps; the
 * node's time in LIKWID's native tools. Other native processes keep the host's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "native_time.h"
#include "shim.h"
#include "vnode/engine/requests.h"

#define SECOND INT64_C(1000000000)

/* CLOCK_MONOTONIC of the node, or its CLOCK_REALTIME, in ns; 0: this process uses the host's time. */
static int64_t node_ns(int realtime) {
    if (!shim()->active)
        return 0;
    if (!shim()->simulated)
        return (int64_t)native_time_now(realtime);
    int64_t now = (int64_t)engine_time_now();
    return now && realtime ? now + shim()->realtime_offset : now;
}

/* Virtual time of a clock in ns, 0: this clock or process uses the host's time. */
static int64_t virtual_ns(clockid_t clock) {
    int realtime = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (!realtime && clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_RAW && clock != CLOCK_MONOTONIC_COARSE &&
        clock != CLOCK_BOOTTIME)
        return 0;
    return node_ns(realtime);
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

static int sleeps_here(void) {
    return !shim()->simulated && node_ns(0) != 0;
}

/* Returns the time left after a signal. */
static int64_t native_sleep(int64_t ns) {
    return (int64_t)native_time_sleep((uint64_t)ns, perfctr_program());
}

static int invalid(const struct timespec *t) {
    return t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= SECOND;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
    int64_t now = shim()->simulated ? 0 : virtual_ns(clock);
    if (!now)
        return REAL(clock_nanosleep)(clock, flags, wanted, left);
    if (invalid(wanted))
        return EINVAL;
    int64_t ns = wanted->tv_sec * SECOND + wanted->tv_nsec - (flags & TIMER_ABSTIME ? now : 0);
    int64_t rest = ns > 0 ? native_sleep(ns) : 0;
    if (rest && left && !(flags & TIMER_ABSTIME))
        *left = (struct timespec){.tv_sec = rest / SECOND, .tv_nsec = rest % SECOND};
    return rest ? EINTR : 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
    return errno ? -1 : 0;
}

int usleep(useconds_t us) {
    if (!sleeps_here())
        return REAL(usleep)(us);
    if (!native_sleep((int64_t)us * 1000))
        return 0;
    errno = EINTR;
    return -1;
}

unsigned sleep(unsigned seconds) {
    if (!sleeps_here())
        return REAL(sleep)(seconds);
    return (unsigned)((native_sleep(seconds * SECOND) + SECOND - 1) / SECOND);
}

/* While a child starts, such as an access daemon, the node's time must not pass. Returns as waitpid() with WNOHANG. */
static pid_t await_start(pid_t child, int *status, int options) {
    enum { JOIN_MS = 1000, US_PER_MS = 1000 };
    pid_t ended = 0;
    for (int ms = 0; ms < JOIN_MS && !ended && native_time_lacks(child); ms++) {
        ended = REAL(waitpid)(child, status, options | WNOHANG);
        if (!ended)
            REAL(usleep)(US_PER_MS);
    }
    return ended;
}

pid_t clock_waitpid(pid_t child, int *status, int options) {
    if (options & WNOHANG || shim()->simulated)
        return REAL(waitpid)(child, status, options);
    pid_t result = await_start(child, status, options);
    if (result)
        return result;
    native_time_leave();
    result = REAL(waitpid)(child, status, options);
    native_time_return();
    return result;
}
