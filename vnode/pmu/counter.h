/* counter.h - one 48-bit counter of a performance monitoring unit, and what both kinds of units need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_COUNTER_H
#define ASSAY_PMU_COUNTER_H

#include <stdint.h>

#include "pmu.h"

#define COUNTER_MASK ((UINT64_C(1) << COUNTER_BITS) - 1)

/* What a client reads. `at` as the counter is programmed. */
uint64_t counter_value(const struct counter *counter, const struct programmed *at);

/* Of a counter that runs: brings it up to date with the event's total `now`. 1 if it wrapped. */
int counter_update(struct counter *counter, const struct programmed *at, uint64_t now);

/* From now on it runs or stands; what it showed stays. */
void counter_run(struct counter *counter, const struct programmed *at, int running, uint64_t now);

/* Shows `value` from now on. */
void counter_write(struct counter *counter, uint64_t value);

/* What threshold and invert make of an event that happens once a cycle: 1 counts every cycle, 0 none. An invert
 * without a threshold has no effect. */
int cycle_condition(uint32_t threshold, int invert);

/* Whether LIKWID's counter of that name is in the comma separated list (NULL: empty). */
int is_denied(const char *denied, const char *counter);

/* Tells the owner of the unit about a counter that cannot count; the node must not be locked. */
void report_not_counted(const struct pmu *pmu, const char *counter, uint64_t select, const char *reason);

#endif
