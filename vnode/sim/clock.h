/* clock.h - the node's nominal clock: deterministic and simple, no model of a pipeline.
 *
 * Cycles of a core = instructions * 4 / instructions_per_cycle_x4, plus for every demand access served beyond L1 the
 * latency of who served it, plus page walks and branch mispredictions. Nothing overlaps. A socket's uncore clock
 * follows the latest of its cores, and idles with them.
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
