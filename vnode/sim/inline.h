/* inline.h - sim_load(), sim_store() and sim_fetch() with their common case inline: line and page are among the two
 * most recent of their sets, so only counts and LRU order change. Same results as the functions of sim.h, which use
 * these.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_INLINE_H
#define ASSAY_SIM_INLINE_H

#include "hardware.h"

/* The other cases (access.c): *_line if the page is translated and the access is within one line, *_general
 * otherwise. */
void sim_load_line(struct sim_core *core, uint64_t line);
void sim_store_line(struct sim_core *core, uint64_t line);
void sim_load_general(struct sim_core *core, uint64_t address, uint32_t size, int locked);
void sim_store_general(struct sim_core *core, uint64_t address, uint32_t size);
void sim_fetch_general(struct sim_core *core, uint64_t address, uint32_t size);

/* Whether the access is within one line, even of the smallest line size, and its page hits in `tlb`. The TLB has only
 * pages below 2^47, so the address of a hit needs no masking. */
static inline int sim_simple_access(struct sim_core *core, struct cache *tlb, uint64_t address, uint32_t size) {
    return (address ^ (address + size - 1)) < LINE_BYTES_MIN && cache_touch_near(tlb, address >> core->page_shift);
}

/* The access to a line after translation. */
static inline void sim_load_translated(struct sim_core *core, uint64_t line) {
    if (!cache_touch_near(&core->l1d, line)) {
        sim_load_line(core, line);
        return;
    }
    core->total[CORE_LOADS]++;
    core->total[CORE_LOAD_L1_HIT]++;
}

static inline void sim_store_translated(struct sim_core *core, uint64_t line) {
    if (cache_state(cache_touch_near(&core->l1d, line)) != PRIVATE_M)
        sim_store_line(core, line);
    else
        core->total[CORE_STORES]++;
}

/* Counts a load's conflicts with stores in flight; `loads`: number of loads before it. */
static inline void sim_meet_stores(struct sim_core *core, uint64_t address, uint32_t size, uint64_t loads) {
    if (!*core->follows || !forwarding_is_marked(core->forwarding, address, size))
        return;
    enum forwarding_outcome outcome = forwarding_meet(core->forwarding, address, size, loads);
    core->total[CORE_LOADS_NOT_FORWARDED] += outcome == FORWARDING_FAILED;
    core->total[CORE_LOADS_ALIASED] += outcome == FORWARDING_ALIASED;
}

/* The access in TLBs and caches. */
static inline void sim_load_cached(struct sim_core *core, uint64_t address, uint32_t size) {
    core->group_width = 0;
    if (sim_simple_access(core, &core->dtlb, address, size))
        sim_load_translated(core, address >> core->line_shift);
    else
        sim_load_general(core, address, size, 0);
}

static inline void sim_store_cached(struct sim_core *core, uint64_t address, uint32_t size) {
    core->group_width = 0;
    if (sim_simple_access(core, &core->dtlb, address, size))
        sim_store_translated(core, address >> core->line_shift);
    else
        sim_store_general(core, address, size);
}

static inline void sim_load_inline(struct sim_core *core, uint64_t address, uint32_t size) {
    sim_meet_stores(core, address, size, core->total[CORE_LOADS]);
    sim_load_cached(core, address, size);
}

static inline void sim_store_inline(struct sim_core *core, uint64_t address, uint32_t size) {
    if (*core->follows)
        forwarding_store(core->forwarding, address, size, core->total[CORE_LOADS]);
    sim_store_cached(core, address, size);
}

static inline void sim_fetch_inline(struct sim_core *core, uint64_t address, uint32_t size) {
    if (!sim_simple_access(core, &core->itlb, address, size) ||
        !cache_touch_near(&core->l1i, address >> core->line_shift))
        sim_fetch_general(core, address, size);
}

#endif
