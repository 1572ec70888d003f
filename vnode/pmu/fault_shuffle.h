/* fault_shuffle.h - a node on which events count other events of their unit, so that names have no meaning.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FAULT_SHUFFLE_H
#define ASSAY_PMU_FAULT_SHUFFLE_H

#include "fault.h"
#include "table.h"

/* Adds the swaps of a random permutation of each unit's events. Excluded: fixed counters, and events with a special
 * meaning to their counter: cycles (thresholds), lookups by state, and those that take a second counter. 0, or -1:
 * the list is full. */
int faults_shuffle(const struct pmu_table *table, uint64_t seed, struct fault_list *list);

#endif
