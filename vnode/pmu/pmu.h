/* pmu.h - the performance monitoring units of a node, as an access daemon reads and writes them: model specific
 * registers of cores and uncore boxes, and PCI registers of uncore boxes, with the hardware's semantics.
 *
 * An enabled counter reads as its value when it was enabled plus its event's count since, modulo 2^width. All state
 * is in struct pmu_state: plain data without pointers, zero at start, so the daemons of one process's threads share
 * it through a file. Not thread safe: the caller must lock the state.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PMU_H
#define ASSAY_PMU_PMU_H

#include <stdint.h>

#include "state.h"

/* `device`: number in the protocol, 0 for model specific registers; `cpu`: a core for those, else a socket. A refused
 * write gets the answer of a missing register, as the hardware's driver reports both as failure. SPACE_PCI registers
 * have 32 bits: the upper half of `data` is 0 or ignored. */
enum pmu_answer pmu_read(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t *data);
enum pmu_answer pmu_write(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t data);
enum pmu_answer pmu_check(const struct pmu *pmu, int32_t device, uint32_t cpu);

#endif
