/* access.c - accesses, split into lines and pages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include "coherence.h"
#include "frames.h"
#include "hierarchy.h"
#include "sim.h"
#include "tlb.h"
#include "wcbuffer.h"

/* First and last line and page of an access. */
struct extent {
    uint64_t first_line, last_line, first_page, last_page;
};

static struct extent extent_of(const struct sim_core *core, uint64_t address, uint32_t size) {
    uint64_t first = address & ADDRESS_MASK, last = (address + size - 1) & ADDRESS_MASK;
    return (struct extent){first >> core->line_shift, last >> core->line_shift, first >> core->page_shift,
                           last >> core->page_shift};
}

static inline int translate(struct sim_core *core, const struct extent *extent, enum tlb_use use) {
    int walked = tlb_translate(core, extent->first_page, use);
    if (extent->last_page != extent->first_page)
        walked |= tlb_translate(core, extent->last_page, use);
    return walked;
}

void access_load(struct sim_core *core, uint64_t address, uint32_t size, int locked) {
    struct extent extent = extent_of(core, address, size);
    uint64_t *total = core->total;
    total[CORE_LOADS]++;
    if (sim_leaves_out(core, address)) {
        total[CORE_LOAD_L1_HIT]++;
        return;
    }
    if (translate(core, &extent, TLB_LOAD))
        total[CORE_LOADS_STLB_MISS]++;
    enum source source = hierarchy_load(core, extent.first_line, locked);
    if (extent.last_line != extent.first_line) {
        total[CORE_LOADS_SPLIT]++;
        enum source second = hierarchy_load(core, extent.last_line, locked);
        if (second > source)
            source = second;
    }
    hierarchy_count_load(total, source);
}

void access_load_line(struct sim_core *core, uint64_t line) {
    core->total[CORE_LOADS]++;
    hierarchy_count_load(core->total, hierarchy_load(core, line, 0));
}

void access_store_line(struct sim_core *core, uint64_t line) {
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

void access_store(struct sim_core *core, uint64_t address, uint32_t size) {
    struct extent extent = extent_of(core, address, size);
    if (sim_leaves_out(core, address)) {
        core->total[CORE_STORES]++;
        return;
    }
    count_store(core, &extent);
    hierarchy_store(core, extent.first_line);
    if (extent.last_line != extent.first_line)
        hierarchy_store(core, extent.last_line);
}

void sim_load(struct sim_core *core, uint64_t address, uint32_t size) {
    if (*core->follows)
        access_meets_stores(core, address, size);
    access_load(core, address, size, 0);
}

void sim_store(struct sim_core *core, uint64_t address, uint32_t size) {
    if (*core->follows)
        access_takes_flight(core, address, size);
    access_store(core, address, size);
}

void sim_load_locked(struct sim_core *core, uint64_t address, uint32_t size) {
    wc_flush(core);
    forwarding_drain(core->forwarding);
    core->total[CORE_LOADS_LOCKED]++;
    access_load(core, address, size, 1);
}

static void write_combining(struct sim_core *core, uint64_t line, uint32_t offset, uint32_t bytes) {
    if (wc_open(core, line))
        hierarchy_evict_l1d(core, line);
    wc_write(core, line, offset, bytes);
}

void sim_store_nt(struct sim_core *core, uint64_t address, uint32_t size) {
    struct extent extent = extent_of(core, address, size);
    uint32_t line = core->sim->config.line, offset = (uint32_t)address % line;
    count_store(core, &extent);
    core->total[CORE_STORES_NT]++;
    if (extent.last_line == extent.first_line) {
        write_combining(core, extent.first_line, offset, size);
        return;
    }
    write_combining(core, extent.first_line, offset, line - offset);
    write_combining(core, extent.last_line, 0, offset + size - line);
}

void sim_fence(struct sim_core *core) {
    wc_flush(core);
    forwarding_drain(core->forwarding);
}

void sim_flush_line(struct sim_core *core, uint64_t address) {
    uint64_t line = (address & ADDRESS_MASK) >> core->line_shift;
    wc_flush_line(core, line);
    coherence_flush(core, frames_line(core->sim, line));
}

void sim_leave_frames(struct sim *sim, uint64_t address, uint64_t bytes) {
    if (!sim->config.frames_seed) /* a page's frame is its number, large or not */
        return;
    for (uint64_t page = address; page < address + bytes; page += sim->config.page)
        for (uint64_t at = sim_home(sim, page) < 0 ? sim->config.page : 0; at < sim->config.page;
             at += sim->config.line)
            sim_flush_line(&sim->cores[0], page + at);
}

void access_fetch(struct sim_core *core, uint64_t line) {
    line &= ADDRESS_MASK >> core->line_shift;
    tlb_translate(core, page_of_line(core, line), TLB_FETCH);
    hierarchy_fetch(core, line);
}

void sim_fetch(struct sim_core *core, uint64_t address, uint32_t size) {
    uint64_t first = address >> core->line_shift, last = (address + size - 1) >> core->line_shift;
    for (uint64_t line = first; line <= last; line++)
        access_fetch(core, line);
}
