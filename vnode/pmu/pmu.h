/* pmu.h - the performance monitoring units of a node, as an access daemon reads and writes them: model specific
 * registers of cores and uncore boxes, and PCI registers of uncore boxes, with the meaning that the hardware gives
 * them.
 *
 * A counter that is enabled shows its value when it was enabled plus what its event has counted since, modulo 2 to the
 * power of its width. All state is in struct pmu_state, plain data without pointers, zero at start: daemons that serve
 * threads of one process share it through a file. Not thread safe: the caller keeps other users of the same state away.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PMU_H
#define ASSAY_PMU_PMU_H

#include <stdint.h>

#include "state.h"

/* `device` is the protocol's number, 0 for model specific registers; `cpu` a core for those, else a socket.
 * Writing what the hardware refuses is answered like a register that it has not: its driver reports both as a failure.
 * A register of SPACE_PCI has 32 bits: the upper half of `data` is 0 or ignored. */
enum pmu_answer pmu_read(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t *data);
enum pmu_answer pmu_write(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t data);
enum pmu_answer pmu_check(const struct pmu *pmu, int32_t device, uint32_t cpu);

#endif
