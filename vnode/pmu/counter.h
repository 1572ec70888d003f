/* counter.h - one counter of a performance monitoring unit, common to all kinds of units.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_COUNTER_H
#define ASSAY_PMU_COUNTER_H

#include <stdint.h>

#include "moment.h"
#include "state.h"

/* The value that a client reads; `at`: how the counter is programmed. */
uint64_t counter_value(const struct counter *counter, const struct programmed *at);

/* Updates a running counter with the event's current total `now`. Returns the number of overflows. */
uint64_t counter_update(struct counter *counter, const struct programmed *at, uint64_t now);

/* Starts or stops the counter; its value stays. */
void counter_run(struct counter *counter, const struct programmed *at, int running, uint64_t now);

/* Ends a running counter's counting interval and starts the next. Call counter_update() first. */
void counter_cut(struct counter *counter, const struct programmed *at);

/* Sets the counter, `bits` wide, to `value`. */
void counter_write(struct counter *counter, uint64_t value, uint32_t bits);

/* A unique number of the counter (of its upper half with `high`) within the unit, as key for moment.h. */
static inline uint32_t counter_key(const struct pmu *pmu, const struct counter *counter, int high) {
    _Static_assert(sizeof *counter >= 16 && sizeof *pmu->state / 16 <= MOMENT_KEYS, "numbers differ, and fit");
    return (uint32_t)((const char *)counter - (const char *)pmu->state) / 16 + (uint32_t)high;
}

/* Reports a counter that cannot count to the unit's owner. The node must not be locked. */
void report_not_counted(const struct pmu *pmu, const char *counter, uint64_t select, const char *reason);

#endif
