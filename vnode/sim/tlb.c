/* tlb.c - address translation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tlb.h"

#include "cycles.h"
#include "fetched.h"

/* Distinguishes large page numbers from small ones, which are below it. */
static const uint64_t LARGE_PAGE = UINT64_C(1) << 48;

/* Totals by use of the TLBs. */
static const struct tlb_totals {
    uint8_t second_level_hit, walk, walk_cycles, large_hit, large_walk;
} totals_of[] = {
    [TLB_LOAD] = {CORE_DTLB_LOAD_STLB_HIT, CORE_DTLB_LOAD_WALK, CORE_DTLB_LOAD_WALK_CYCLES,
                  CORE_DTLB_LOAD_STLB_HIT_LARGE, CORE_DTLB_LOAD_WALK_LARGE},
    [TLB_STORE] = {CORE_DTLB_STORE_STLB_HIT, CORE_DTLB_STORE_WALK, CORE_DTLB_STORE_WALK_CYCLES,
                   CORE_DTLB_STORE_STLB_HIT_LARGE, CORE_DTLB_STORE_WALK_LARGE},
    [TLB_FETCH] = {CORE_ITLB_STLB_HIT, CORE_ITLB_WALK, CORE_ITLB_WALK_CYCLES, 0, 0},
};

/* The page's key in the TLBs: its number, or that of its large page. */
static uint64_t key_of(const struct sim *sim, uint64_t page, enum tlb_use use) {
    uint64_t large = page >> sim->large_shift;
    if (use == TLB_FETCH || !sim->is_large || !sim->is_large(sim->large_context, large))
        return page;
    return large | LARGE_PAGE;
}

static const struct near *data_level(const struct sim_core *core, uint64_t key) {
    return key & LARGE_PAGE ? core->large : &core->dtlb;
}

uint64_t *tlb_find(const struct sim_core *core, uint64_t page) {
    uint64_t key = key_of(core->sim, page, TLB_LOAD);
    return near_peek(data_level(core, key), key);
}

int tlb_translate(struct sim_core *core, uint64_t page, enum tlb_use use) {
    uint64_t key = key_of(core->sim, page, use);
    const struct near *first = use == TLB_FETCH ? &core->itlb : data_level(core, key);
    if (near_touch(first, key, core->stamp++))
        return 0;
    const struct tlb_totals *totals = &totals_of[use];
    if (use == TLB_FETCH)
        fetched_settle(core);
    near_insert(first, key, PRIVATE_S, core->stamp++);
    if (cache_touch(&core->stlb, key)) {
        core->total[totals->second_level_hit]++;
        if (key & LARGE_PAGE)
            core->total[totals->large_hit]++;
        return 0;
    }
    cache_insert(&core->stlb, key, PRIVATE_S);
    core->total[totals->walk]++;
    if (key & LARGE_PAGE)
        core->total[totals->large_walk]++;
    core->total[totals->walk_cycles] += core->walk_latency;
    clock_add(core, core->walk_latency);
    return 1;
}
