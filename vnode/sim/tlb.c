/* tlb.c - address translation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tlb.h"

#include "clock.h"

/* The totals that one use of the TLBs adds to. */
static const struct tlb_totals {
    uint8_t second_level_hit, walk, walk_cycles;
} totals_of[] = {
    [TLB_LOAD] = {CORE_DTLB_LOAD_STLB_HIT, CORE_DTLB_LOAD_WALK, CORE_DTLB_LOAD_WALK_CYCLES},
    [TLB_STORE] = {CORE_DTLB_STORE_STLB_HIT, CORE_DTLB_STORE_WALK, CORE_DTLB_STORE_WALK_CYCLES},
    [TLB_FETCH] = {CORE_ITLB_STLB_HIT, CORE_ITLB_WALK, CORE_ITLB_WALK_CYCLES},
};

int tlb_translate(struct sim_core *core, uint64_t page, enum tlb_use use) {
    struct cache *first = use == TLB_FETCH ? &core->itlb : &core->dtlb;
    if (cache_touch(first, page))
        return 0;
    const struct tlb_totals *totals = &totals_of[use];
    cache_insert(first, page, PRIVATE_S);
    if (cache_touch(&core->stlb, page)) {
        core->total[totals->second_level_hit]++;
        return 0;
    }
    cache_insert(&core->stlb, page, PRIVATE_S);
    core->total[totals->walk]++;
    core->total[totals->walk_cycles] += core->walk_latency;
    clock_add(core, core->walk_latency);
    return 1;
}
