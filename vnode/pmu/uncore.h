/* uncore.h - the boxes of a socket's uncore: L3 slices, home agents, memory channels, links, the uncore clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_UNCORE_H
#define ASSAY_PMU_UNCORE_H

#include "pmu.h"

/* `device` 0: model specific register. PMU_NO_REGISTER, or PMU_NO_DEVICE for a device that the node does not have. */
enum pmu_answer uncore_read(struct pmu *pmu, int32_t device, uint32_t socket, uint32_t reg, uint64_t *data);
enum pmu_answer uncore_write(struct pmu *pmu, int32_t device, uint32_t socket, uint32_t reg, uint64_t data);

/* Whether a socket has a PCI device of that number. */
int uncore_has_device(const struct pmu *pmu, int32_t device);

#endif
