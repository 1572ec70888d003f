/* uncore.h - the boxes of the uncore: L3 slices, last-level domains, home agents, memory channels, links, clocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_UNCORE_H
#define ASSAY_PMU_UNCORE_H

#include "state.h"

/* `device` 0: model specific register of core `cpu`; else `cpu` is a socket. PMU_NO_REGISTER, or PMU_NO_DEVICE if the
 * node does not have the device. */
enum pmu_answer uncore_read(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t *data);
enum pmu_answer uncore_write(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t data);

/* Whether the socket has that device. */
int uncore_has_device(const struct pmu *pmu, uint32_t socket, int32_t device);

/* Number of boxes of a node; struct pmu_state has room for PMU_BOXES. */
uint32_t uncore_boxes(const struct pmu_table *table, const struct sim_config *config);

#endif
