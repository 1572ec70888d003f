/* access.h - accesses of a core in TLBs and caches, and their conflicts with stores in flight.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_ACCESS_H
#define ASSAY_SIM_ACCESS_H

#include "hardware.h"

/* An access as in sim.h, but for its conflicts with stores. `locked`: it requests ownership. */
void access_load(struct sim_core *core, uint64_t address, uint32_t size, int locked);
void access_store(struct sim_core *core, uint64_t address, uint32_t size);
void access_fetch(struct sim_core *core, uint64_t line);

/* The same after translation, for an access within the line. */
void access_load_line(struct sim_core *core, uint64_t line);
void access_store_line(struct sim_core *core, uint64_t line);

/* Counts a load's conflicts with stores in flight; before the load. */
static inline void access_meets_stores(struct sim_core *core, uint64_t address, uint32_t size) {
    if (!forwarding_is_marked(core->forwarding, address, size))
        return;
    enum forwarding_outcome outcome = forwarding_meet(core->forwarding, address, size, core->total[CORE_LOADS]);
    core->total[CORE_LOADS_NOT_FORWARDED] += outcome == FORWARDING_FAILED;
    core->total[CORE_LOADS_ALIASED] += outcome == FORWARDING_ALIASED;
}

/* A store is in flight from now on. */
static inline void access_takes_flight(struct sim_core *core, uint64_t address, uint32_t size) {
    forwarding_store(core->forwarding, address, size, core->total[CORE_LOADS]);
}

#endif
