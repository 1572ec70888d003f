/* counter.h - one 48-bit counter of a performance monitoring unit, and what both kinds of units need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_COUNTER_H
#define ASSAY_PMU_COUNTER_H

#include <stdint.h>

#include "pmu.h"

#define COUNTER_MASK ((UINT64_C(1) << 48) - 1)

/* Of a counter that runs: brings `value` up to date with the event's total `now`. 1 if it wrapped. */
int counter_update(struct counter *counter, uint64_t now);

/* From now on it runs or stands; what it showed stays. */
void counter_run(struct counter *counter, int running, uint64_t now);

/* What threshold and invert make of an event that happens once a cycle: 1 counts every cycle, 0 none. An invert
 * without a threshold has no effect. */
int cycle_condition(uint32_t threshold, int invert);

/* Whether LIKWID's counter of that name is in the comma separated list (NULL: empty). */
int is_denied(const char *denied, const char *counter);

/* Tells the owner of the unit about a counter that cannot count; the node must not be locked. */
void report_not_counted(const struct pmu *pmu, const char *counter, uint64_t select, const char *reason);

#endif
