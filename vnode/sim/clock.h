/* clock.h - the node's nominal clock: deterministic, no pipeline model.
 *
 * Core cycles = instructions * 4 / instructions_per_cycle_x4, plus the latency of the source of every demand access
 * served beyond L1, plus page walks and branch mispredictions. Nothing overlaps. A socket's uncore clock follows its
 * most advanced core and idles with its cores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_CLOCK_H
#define ASSAY_SIM_CLOCK_H

#include "hardware.h"

static inline void clock_add(struct sim_core *core, uint64_t cycles) {
    core->clock.cycles += cycles;
    core->total[CORE_CYCLES] += cycles;
}

#endif
