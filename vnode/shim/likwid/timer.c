/* timer.c - LIKWID's timers (likwid.h) in node time, for its native tools, whose time stamps would otherwise be the
 * host's.
 *
 * A separate library: the preloaded one would also replace LIKWID's timers in simulated processes, whose time stamps
 * are already the node's and whose instructions count. The preloaded library loads it into LIKWID's tools before
 * LIKWID.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <time.h>

#include "vnode/shim/native_time.h"
#include "vnode/shim/shim.h"

#define SECOND UINT64_C(1000000000)

struct timer {
    uint64_t start, stop; /* time stamps */
};

static uint64_t stamp(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t hz = shim()->clock_hz;
    return (uint64_t)now.tv_sec * hz + (uint64_t)now.tv_nsec * hz / SECOND;
}

void timer_init(void) {
}

void timer_finalize(void) {
}

void timer_start(struct timer *timer) {
    timer->start = stamp();
}

void timer_stop(struct timer *timer) {
    timer->stop = stamp();
}

void timer_reset(struct timer *timer) {
    *timer = (struct timer){0, 0};
}

uint64_t timer_printCycles(const struct timer *timer) {
    return timer->stop > timer->start ? timer->stop - timer->start : 0;
}

double timer_print(const struct timer *timer) {
    return (double)timer_printCycles(timer) / (double)shim()->clock_hz;
}

uint64_t timer_getCpuClock(void) {
    return shim()->clock_hz;
}

uint64_t timer_getCycleClock(void) {
    return shim()->clock_hz;
}

uint64_t timer_getBaseline(void) {
    return 0;
}

/* Returns the time left. */
int timer_sleep(unsigned long us) {
    perfctr_before_sleep(__builtin_return_address(0));
    return (int)(native_time_sleep(us * 1000, perfctr_program()) / 1000);
}
