/* counter.c - one counter of a performance monitoring unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "counter.h"

#include <math.h>

#include "noise.h"

/* The interval's count, with faults and noise. */
static uint64_t counted_by(const struct counter *counter, const struct programmed *at) {
    struct programmed own = *at;
    own.elapsed = at->hz > 0 ? (double)counter->elapsed / at->hz : 0;
    uint64_t counted = fault_count(&own, counter->interval, counter->counted);
    if (!at->faults || at->faults->noise == NOISE_NONE)
        return counted;
    /* to the nearest count: noise of a share must not take one of two */
    return (uint64_t)round(noise_count(&own, counter->interval, (double)counted)) & low_bits(at->bits);
}

/* The value before truncation to the counter's width. */
static uint64_t reached(const struct counter *counter, const struct programmed *at) {
    return fault_origin(at) + counter->value + (counter->running ? counted_by(counter, at) : 0);
}

static uint64_t shortened(uint64_t value, const struct programmed *at) {
    return value & low_bits(fault_bits(at));
}

/* The part of a value above the counter's width; 0 for 64 bits. */
static uint64_t beyond(uint64_t value, const struct programmed *at) {
    uint32_t bits = fault_bits(at);
    return bits < 64 ? value >> bits : 0;
}

uint64_t counter_value(const struct counter *counter, const struct programmed *at) {
    return fault_show(at, shortened(reached(counter, at), at));
}

uint64_t counter_update(struct counter *counter, const struct programmed *at, uint64_t now) {
    if (!counter->running)
        return 0;
    uint64_t before = reached(counter, at);
    counter->counted += now - counter->start;
    counter->elapsed = at->now - counter->began;
    counter->start = now;
    uint64_t after = reached(counter, at);
    if (fault_bits(at) == 64)
        return after < before;
    return beyond(after, at) - beyond(before, at);
}

void counter_run(struct counter *counter, const struct programmed *at, int running, uint64_t now) {
    if (counter->running != (uint32_t)running) {
        counter->value = shortened(reached(counter, at) - fault_origin(at), at);
        counter->counted = counter->elapsed = 0;
        counter->began = at->now;
        counter->interval += (uint32_t)running;
    }
    counter->running = (uint32_t)running;
    counter->start = now;
}

void counter_cut(struct counter *counter, const struct programmed *at) {
    if (!counter->running)
        return;
    counter->value = shortened(reached(counter, at) - fault_origin(at), at);
    counter->began += counter->elapsed;
    counter->counted = counter->elapsed = 0;
    counter->interval++;
}

void counter_write(struct counter *counter, uint64_t value, uint32_t bits) {
    counter->value = value & low_bits(bits);
    counter->began += counter->elapsed;
    counter->counted = counter->elapsed = 0;
}

void report_not_counted(const struct pmu *pmu, const char *counter, uint64_t select, const char *reason) {
    if (pmu->not_counted)
        pmu->not_counted(pmu->context, counter, select, reason);
}
