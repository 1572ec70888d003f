/* plain.h - core registers that LIKWID reads that are no counters, and counters not modelled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PLAIN_H
#define ASSAY_PMU_PLAIN_H

#include "state.h"

/* PMU_NO_REGISTER: no such register, or a counter not modelled. `core` must exist. */
enum pmu_answer plain_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data);
enum pmu_answer plain_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data);

#endif
