/* calibration.c - likwid-perfctr's measurement of the time-stamp clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "shim.h"

#define HALF_A_SECOND INT64_C(500000000)

enum { SPIN_NS = 5000000 }; /* gettimeofday() tells microseconds: enough for 0.02 % */

struct calibration {
    int64_t start_ns;
    uint64_t start_stamp, asked; /* `asked`: time stamp of the latest gettimeofday() */
    uint64_t slept;              /* time stamp to be told after a sleep that is being measured, 0: none */
    uint64_t shortest;           /* sleep so far, in time stamps: LIKWID takes the shorter of two */
};

static struct calibration *state(void) {
    static struct calibration calibration;
    return &calibration;
}

int64_t calibration_time(void) {
    struct calibration *c = state();
    if (!perfctr_is_self())
        return 0;
    /* after a sleep LIKWID takes its time stamp first, and spends microseconds before it asks for the time */
    c->asked = c->slept ? c->slept : __rdtsc();
    c->slept = 0;
    if (!c->start_ns) {
        struct timespec now;
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
        c->start_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
        c->start_stamp = c->asked;
    }
    __int128 ticks = c->asked - c->start_stamp;
    return c->start_ns + (int64_t)(ticks * 1000000000 / shim()->clock_hz);
}

int calibration_sleep(const struct timespec *wanted) {
    struct calibration *c = state();
    uint64_t length = shim()->clock_hz / 1000 * SPIN_NS / 1000000;
    /* other sleeps of likwid-perfctr, of a timeline for example, do not follow a gettimeofday() */
    int measuring = c->asked && __rdtsc() - c->asked < length;
    if (!measuring || wanted->tv_sec * INT64_C(1000000000) + wanted->tv_nsec != HALF_A_SECOND)
        return 0;
    while (__rdtsc() - c->asked < length)
        _mm_pause();
    uint64_t spent = __rdtsc() - c->asked;
    if (!c->shortest || spent < c->shortest)
        c->shortest = spent;
    c->slept = c->asked + c->shortest;
    return 1;
}
