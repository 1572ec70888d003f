/* hierarchy.h - the private caches of a core: L1D, L1I and the unified L2, write-back and write-allocate.
 *
 * L2 is neither inclusive nor exclusive of L1. A demand miss fills both. A modified L1D victim is written to L2,
 * which then holds it modified. If L2 no longer has the line, it allocates it; this is not counted as a fill, because
 * L2 lines in counts demand. Only demand renews a line's recency in L2, a write-back does not. (Otherwise stored
 * lines would outlive loaded ones, and the lines of a stream would depend on its neighbours.) A modified L2 victim
 * goes to the domain. Clean victims of L1 and L2 leave silently unless the domain tracks them. Hardware prefetchers:
 * prefetch.h. A write hit on a shared line requests ownership from L2 and the domain. It counts as an L2 RFO miss
 * unless L2 owns the line. It fills no line into L1D, nor into L2 if L2 has it. A write keeps the core's own L1I
 * copy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_HIERARCHY_H
#define ASSAY_SIM_HIERARCHY_H

#include "hardware.h"

/* Demand accesses of a core to one line. They count everything but the access itself, and add its latency. With `own`
 * a load requests ownership, as for a locked operation. */
enum source hierarchy_load(struct sim_core *core, uint64_t line, int own);
void hierarchy_store(struct sim_core *core, uint64_t line);
void hierarchy_fetch(struct sim_core *core, uint64_t line);

/* Counts a load by its source. */
void hierarchy_count_load(uint64_t *total, enum source source);

/* A load or store of a line that L1D lacks, on a usual core, while no write-combining buffer is open. Counts and cycles
 * of lines that L2 has follow in hierarchy_settle(), before anybody reads the totals or the clock. */
void hierarchy_fill(struct sim_core *core, uint64_t line, int store);

/* Adds what hierarchy_fill() has not counted yet. */
void hierarchy_settle(struct sim_core *core);

/* Writes the line back from L1D to L2 if L1D has it modified; L1D no longer has it afterwards. */
void hierarchy_evict_l1d(struct sim_core *core, uint64_t line);

#endif
