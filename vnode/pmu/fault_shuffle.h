/* fault_shuffle.h - a node on which every event counts what another one should: names say nothing there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FAULT_SHUFFLE_H
#define ASSAY_PMU_FAULT_SHUFFLE_H

#include "fault.h"
#include "table.h"

/* Adds a swap for every event that counts something else: of each unit's events a permutation that follows from the
 * seed. Fixed counters stay, and events that mean something to their counter besides: cycles (thresholds), lookups by
 * state, and those that take a second counter. 0, or -1: the list is full. */
int faults_shuffle(const struct pmu_table *table, uint64_t seed, struct fault_list *list);

#endif
