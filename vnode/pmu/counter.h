/* counter.h - one counter of a performance monitoring unit, and what all kinds of units need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_COUNTER_H
#define ASSAY_PMU_COUNTER_H

#include <stdint.h>

#include "moment.h"
#include "state.h"

/* The lowest `bits` bits, 1 to 64. */
static inline uint64_t low_bits(uint32_t bits) {
    return ~UINT64_C(0) >> (64 - bits);
}

/* What a client reads. `at` as the counter is programmed. */
uint64_t counter_value(const struct counter *counter, const struct programmed *at);

/* Of a counter that runs: brings it up to date with the event's total `now`. How often it wrapped. */
uint64_t counter_update(struct counter *counter, const struct programmed *at, uint64_t now);

/* From now on it runs or stands; what it showed stays. */
void counter_run(struct counter *counter, const struct programmed *at, int running, uint64_t now);

/* Ends the counting interval that it is in and starts the next; nothing of a counter that does not run. Up to date
 * before. */
void counter_cut(struct counter *counter, const struct programmed *at);

/* Shows `value` from now on, of which it has `bits` bits. */
void counter_write(struct counter *counter, uint64_t value, uint32_t bits);

/* A number of its own among all counters, or halves of counters, of the unit: for moment.h. */
static inline uint32_t counter_key(const struct pmu *pmu, const struct counter *counter, int high) {
    _Static_assert(sizeof *counter >= 16 && sizeof *pmu->state / 16 <= MOMENT_KEYS, "numbers differ, and fit");
    return (uint32_t)((const char *)counter - (const char *)pmu->state) / 16 + (uint32_t)high;
}

/* Tells the owner of the unit about a counter that cannot count; the node must not be locked. */
void report_not_counted(const struct pmu *pmu, const char *counter, uint64_t select, const char *reason);

#endif
