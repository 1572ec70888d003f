/* plain.h - registers of a core that have nothing to do with counting, or count what is not modelled, but that LIKWID
 * asks for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PLAIN_H
#define ASSAY_PMU_PLAIN_H

#include "state.h"

/* PMU_NO_REGISTER: not one of these. `core` exists. */
enum pmu_answer plain_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data);
enum pmu_answer plain_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data);

#endif
