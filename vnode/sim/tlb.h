/* tlb.h - address translation: first-level data and instruction TLBs, a shared second level, page walks.
 *
 * Exact LRU at both levels, by requests that reach the level. A walk fills both levels, a second-level hit the first.
 * Neither level includes the other. A walk takes walk_latency cycles and accesses no cache.
 *
 * Data may be in large pages. They have a first level of their own, or share dtlb, and share the second level. Their
 * set follows from the large page number. Code uses small pages only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_TLB_H
#define ASSAY_SIM_TLB_H

#include "hardware.h"

enum tlb_use { TLB_LOAD, TLB_STORE, TLB_FETCH };

/* The word of the data page in the first level, or NULL; recency does not change. */
uint64_t *tlb_find(const struct sim_core *core, uint64_t page);

/* Translates the (small) page. Nonzero if it took a page walk. */
int tlb_translate(struct sim_core *core, uint64_t page, enum tlb_use use);

#endif
