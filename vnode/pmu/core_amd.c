/* core_amd.c - the core counters of AMD family 17h and 19h.
 *
 * Bits: AMD, Processor Programming Reference, "Performance Monitor Counters". Each counter has an enable bit; there
 * is no common one. Instructions retired, APERF and MPERF cannot be stopped, except that the first counts only while
 * a bit of the hardware configuration register is set.
 *
 * An event that may happen more than 15 times per cycle (FLOPs) needs a pair of counters: the odd one is programmed
 * to merge and holds the upper bits of the even one. Without it, hardware counts at most 15 per cycle. The node's
 * clock does not tell which instructions retire together, so its even counter alone counts all of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "core_driver.h"
#include "counter.h"

enum { SELECT_ENABLE = 1 << 22 };

/* Index of the counter of `reg`, with first register `base`; `counters`: not a counter. */
static uint32_t index_of(const struct core_layout *core, uint32_t base, uint32_t reg) {
    uint32_t distance = reg - base;
    return distance % core->step == 0 && distance / core->step < core->counters ? distance / core->step
                                                                                : core->counters;
}

static struct core_register find(const struct core_layout *core, uint32_t reg) {
    uint32_t select = index_of(core, core->select, reg), counter = index_of(core, core->counter, reg);
    if (select < core->counters)
        return (struct core_register){.role = ROLE_SELECT, .index = select};
    if (counter < core->counters)
        return (struct core_register){.role = ROLE_COUNTER, .index = counter};
    for (uint32_t i = 0; i < core->fixed_counters; i++)
        if (reg == core->own[i].address || (core->own[i].writable && reg == core->own[i].writable))
            return (struct core_register){.role = ROLE_FIXED, .index = i, .read_only = reg != core->own[i].writable};
    if (core->control && reg == core->control)
        return (struct core_register){.role = ROLE_CONTROL};
    return (struct core_register){.role = ROLE_NONE};
}

/* Reserved bits read as zero. */
static int accept(const struct core_layout *core, const struct core_register *reg, uint64_t data, uint64_t *out) {
    (void)core;
    *out = reg->role == ROLE_SELECT ? data & ~select_reserved(SELECT_CORE_AMD, 0) : data;
    return 0;
}

static int is_used(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i) {
    if (kind == NAME_FIXED)
        return core->own[i].enable_bit < 0 || (state->control >> core->own[i].enable_bit & 1);
    return (state->select[i] & SELECT_ENABLE) != 0;
}

static const char *fixed_error(const struct core_state *state, uint32_t i) {
    (void)state;
    (void)i;
    return NULL;
}

static int merges(const struct pmu_table *table, uint64_t select) {
    struct selection s = select_decode(SELECT_CORE_AMD, select);
    const struct table_event *event = table_event(table, UNIT_PMC, s.code, s.umask); /* unnamed events do not merge */
    return s.enabled && event && event->merges;
}

static void overflow(const struct pmu_table *table, struct core_state *state, int32_t kind, uint32_t i,
                     uint64_t wraps) {
    if (wraps && kind == NAME_PMC && i % 2 == 0 && i + 1 < table->core.counters && merges(table, state->select[i + 1]))
        counter_write(&state->counter[i + 1], state->counter[i + 1].value + wraps, table->core.width);
}

static int takes(int merges, uint32_t i) {
    return !merges || i % 2 == 1;
}

static int any_thread(const struct core_state *state, int32_t kind, uint32_t i) {
    (void)state;
    (void)kind;
    (void)i;
    return 0;
}

const struct core_driver core_amd = {.layout = SELECT_CORE_AMD,
                                     .read_running = 1,
                                     .find = find,
                                     .accept = accept,
                                     .is_used = is_used,
                                     .is_running = is_used,
                                     .any_thread = any_thread,
                                     .fixed_error = fixed_error,
                                     .overflow = overflow,
                                     .takes = takes};
