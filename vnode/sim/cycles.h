/* cycles.h - the node's nominal clock.
 *
 * Core cycles = instructions * 4 / instructions_per_cycle_x4 (or what a pipeline takes: pipeline.h), plus the latency
 * of the source of every demand access served beyond L1, that of the memory of each line of non-temporal stores, page
 * walks and branch mispredictions. Nothing overlaps. A socket's uncore clock follows its most advanced core and idles
 * with its cores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_CYCLES_H
#define ASSAY_SIM_CYCLES_H

#include "hardware.h"

static inline void clock_add(struct sim_core *core, uint64_t cycles) {
    core->clock.cycles += cycles;
    core->total[CORE_CYCLES] += cycles;
}

#endif
