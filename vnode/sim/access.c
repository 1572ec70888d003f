/* access.c - the accesses of sim.h, cut into lines and pages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "coherence.h"
#include "hierarchy.h"
#include "inline.h"
#include "tlb.h"

/* The lines and pages that an access touches: first and last. */
struct extent {
    uint64_t first_line, last_line, first_page, last_page;
};

static struct extent extent_of(const struct sim_core *core, uint64_t address, uint32_t size) {
    uint64_t first = address & ADDRESS_MASK, last = (address + size - 1) & ADDRESS_MASK;
    return (struct extent){first >> LINE_SHIFT, last >> LINE_SHIFT, first >> core->page_shift,
                           last >> core->page_shift};
}

static inline int translate(struct sim_core *core, const struct extent *extent, enum tlb_use use) {
    int walked = 0;
    if (!cache_touch_near(&core->dtlb, extent->first_page))
        walked = tlb_translate(core, extent->first_page, use);
    if (extent->last_page != extent->first_page)
        walked |= tlb_translate(core, extent->last_page, use);
    return walked;
}

static void count_load_source(uint64_t *total, enum source source) {
    static const uint8_t total_of[SOURCES] = {
        [SOURCE_L1] = CORE_LOAD_L1_HIT,
        [SOURCE_L2] = CORE_LOAD_L2_HIT,
        [SOURCE_L3_SNOOP_NONE] = CORE_LOAD_L3_HIT_SNOOP_NONE,
        [SOURCE_L3_SNOOP_MISS] = CORE_LOAD_L3_HIT_SNOOP_MISS,
        [SOURCE_L3_SNOOP_HIT] = CORE_LOAD_L3_HIT_SNOOP_HIT,
        [SOURCE_L3_SNOOP_HITM] = CORE_LOAD_L3_HIT_SNOOP_HITM,
        [SOURCE_SOCKET_FORWARD] = CORE_LOAD_SOCKET_FORWARD,
        [SOURCE_SOCKET_HITM] = CORE_LOAD_SOCKET_HITM,
        [SOURCE_LOCAL_DRAM] = CORE_LOAD_LOCAL_DRAM,
        [SOURCE_REMOTE_DRAM] = CORE_LOAD_REMOTE_DRAM,
        [SOURCE_REMOTE_FORWARD] = CORE_LOAD_REMOTE_FORWARD,
        [SOURCE_REMOTE_HITM] = CORE_LOAD_REMOTE_HITM,
    };
    total[total_of[source]]++;
    if (source == SOURCE_L1)
        return;
    total[CORE_LOAD_L1_MISS]++;
    if (source == SOURCE_L2)
        return;
    total[CORE_LOAD_L2_MISS]++;
    total[source <= SOURCE_L3_SNOOP_HITM ? CORE_LOAD_L3_HIT : CORE_LOAD_L3_MISS]++;
}

void sim_load_general(struct sim_core *core, uint64_t address, uint32_t size, int locked) {
    struct extent extent = extent_of(core, address, size);
    uint64_t *total = core->total;
    total[CORE_LOADS]++;
    if (translate(core, &extent, TLB_LOAD))
        total[CORE_LOADS_STLB_MISS]++;
    enum source source = hierarchy_load(core, extent.first_line, locked);
    if (extent.last_line != extent.first_line) {
        total[CORE_LOADS_SPLIT]++;
        enum source second = hierarchy_load(core, extent.last_line, locked);
        if (second > source)
            source = second;
    }
    count_load_source(total, source);
}

void sim_load_line(struct sim_core *core, uint64_t line) {
    core->total[CORE_LOADS]++;
    count_load_source(core->total, hierarchy_load(core, line, 0));
}

void sim_store_line(struct sim_core *core, uint64_t line) {
    core->total[CORE_STORES]++;
    hierarchy_store(core, line);
}

static void count_store(struct sim_core *core, const struct extent *extent) {
    core->total[CORE_STORES]++;
    if (translate(core, extent, TLB_STORE))
        core->total[CORE_STORES_STLB_MISS]++;
    if (extent->last_line != extent->first_line)
        core->total[CORE_STORES_SPLIT]++;
}

void sim_store_general(struct sim_core *core, uint64_t address, uint32_t size) {
    struct extent extent = extent_of(core, address, size);
    count_store(core, &extent);
    hierarchy_store(core, extent.first_line);
    if (extent.last_line != extent.first_line)
        hierarchy_store(core, extent.last_line);
}

void sim_load(struct sim_core *core, uint64_t address, uint32_t size) {
    sim_load_inline(core, address, size);
}

void sim_store(struct sim_core *core, uint64_t address, uint32_t size) {
    sim_store_inline(core, address, size);
}

void sim_load_locked(struct sim_core *core, uint64_t address, uint32_t size) {
    wc_flush(core);
    forwarding_drain(core->forwarding);
    core->total[CORE_LOADS_LOCKED]++;
    core->group_width = 0;
    sim_load_general(core, address, size, 1);
}

/* `bytes` ones from bit `offset` on; 1 <= bytes <= 64 - offset. */
static uint64_t byte_mask(uint32_t offset, uint32_t bytes) {
    return ~UINT64_C(0) >> (LINE_BYTES - bytes) << offset;
}

static void write_combining(struct sim_core *core, uint64_t line, uint64_t mask) {
    if (wc_open(core, line))
        hierarchy_evict_l1d(core, line);
    wc_write(core, line, mask);
}

void sim_store_nt(struct sim_core *core, uint64_t address, uint32_t size) {
    struct extent extent = extent_of(core, address, size);
    uint32_t offset = (uint32_t)address % LINE_BYTES;
    core->group_width = 0;
    count_store(core, &extent);
    core->total[CORE_STORES_NT]++;
    if (extent.last_line == extent.first_line) {
        write_combining(core, extent.first_line, byte_mask(offset, size));
        return;
    }
    write_combining(core, extent.first_line, byte_mask(offset, LINE_BYTES - offset));
    write_combining(core, extent.last_line, byte_mask(0, offset + size - LINE_BYTES));
}

void sim_fence(struct sim_core *core) {
    wc_flush(core);
    forwarding_drain(core->forwarding);
}

void sim_flush_line(struct sim_core *core, uint64_t address) {
    uint64_t line = (address & ADDRESS_MASK) >> LINE_SHIFT;
    wc_flush_line(core, line);
    coherence_flush(core, line);
}

void sim_fetch_general(struct sim_core *core, uint64_t address, uint32_t size) {
    uint64_t lines = ((address % LINE_BYTES) + size + LINE_BYTES - 1) >> LINE_SHIFT;
    for (uint64_t i = 0; i < lines; i++) {
        uint64_t line = ((address + i * LINE_BYTES) & ADDRESS_MASK) >> LINE_SHIFT;
        tlb_translate(core, line >> (core->page_shift - LINE_SHIFT), TLB_FETCH);
        hierarchy_fetch(core, line);
    }
}

void sim_fetch(struct sim_core *core, uint64_t address, uint32_t size) {
    sim_fetch_inline(core, address, size);
}
