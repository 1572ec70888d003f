/* tlb.h - address translation: first-level data and instruction TLBs, a second level for both, page walks.
 *
 * Exact LRU at both levels, of the requests that reach the level. A walk fills both levels, a second-level hit the
 * first. Neither level includes the other. A walk always takes walk_latency cycles and touches no cache.
 *
 * Data may lie in large pages. They have a first level of their own, or share that of the small ones, and share the
 * second level; a large page's place in these follows from its own number. Code is translated by small pages only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_TLB_H
#define ASSAY_SIM_TLB_H

#include "hardware.h"

enum tlb_use { TLB_LOAD, TLB_STORE, TLB_FETCH };

/* Translates the (small) page. Nonzero if it took a page walk. */
int tlb_translate(struct sim_core *core, uint64_t page, enum tlb_use use);

#endif
