/* hierarchy.h - the private caches of a core: L1D, L1I and the unified L2, write-back and write-allocate.
 *
 * L2 is neither inclusive nor exclusive of L1. A demand miss fills both. A modified L1D victim is written to L2,
 * which then holds it modified; if L2 has lost the line meanwhile, it is allocated there, which is no fill: L2 lines
 * in count what was asked for. A line's recency in L2 is that of demand; a write-back does not renew it. (Otherwise
 * a stored line would outlive a loaded one, and the lines of a stream would depend on its neighbours.) A modified
 * L2 victim goes to the domain; clean victims of L1 and L2 leave silently, unless the domain is told of them. No
 * hardware prefetchers: the node has none. A write hit on a shared line asks L2, and the domain, for ownership: it
 * counts as an L2 RFO miss unless L2 owns the line, and brings no line into L1D; nor into L2 if that has it already.
 * Writing does not drop the core's own L1I copy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_HIERARCHY_H
#define ASSAY_SIM_HIERARCHY_H

#include "hardware.h"

/* Demand accesses of the core to one line. They count everything but the access itself, and add its latency. With
 * `own` a load asks for ownership, as that of a locked operation does. */
enum source hierarchy_load(struct sim_core *core, uint64_t line, int own);
void hierarchy_store(struct sim_core *core, uint64_t line);
void hierarchy_fetch(struct sim_core *core, uint64_t line);

/* Moves the line from L1D to L2, if it is in L1D and modified; else it is there no more. */
void hierarchy_evict_l1d(struct sim_core *core, uint64_t line);

#endif
