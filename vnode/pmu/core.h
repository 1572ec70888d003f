/* core.h - the performance monitoring unit of one core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_CORE_H
#define ASSAY_PMU_CORE_H

#include "state.h"

/* PMU_NO_REGISTER: not a core's register. `core` must exist. */
enum pmu_answer core_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data);
enum pmu_answer core_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data);

#endif
