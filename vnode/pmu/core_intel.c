/* core_intel.c - Intel's architectural performance monitoring, versions 3 to 5.
 *
 * Bits: Intel SDM vol. 3B, "Architectural Performance Monitoring". From version 4 on, bits of the global status can
 * be set; one of them freezes all counters until it is cleared. The processor sets it when a counter with interrupt
 * overflows: the node has no such interrupts, and no register to enable that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "core_driver.h"
#include "counter.h"

/* Four bits per counter in IA32_FIXED_CTR_CTRL. */
enum { FIXED_KERNEL = 1, FIXED_USER = 2, FIXED_ANY_THREAD = 4, FIXED_BITS = 4, FIXED_STATUS_BIT = 32 };
enum {
    SELECT_ANY_THREAD = 1 << 21,
    SELECT_ENABLE = 1 << 22,
    FREEZE_BIT = 59,
    VERSION_OF_FREEZE = 4,
    VERSION_WITHOUT_ANY_THREAD = 5
};
#define FREEZE (UINT64_C(1) << FREEZE_BIT)

static struct core_register find(const struct core_layout *core, uint32_t reg) {
    if (reg - core->select < core->counters)
        return (struct core_register){.role = ROLE_SELECT, .index = reg - core->select};
    if (reg - core->counter < core->counters)
        return (struct core_register){.role = ROLE_COUNTER, .index = reg - core->counter};
    if (reg - core->fixed < core->fixed_counters)
        return (struct core_register){.role = ROLE_FIXED, .index = reg - core->fixed};
    const struct {
        uint32_t address;
        enum core_role role;
    } others[] = {{core->fixed_control, ROLE_FIXED_CONTROL},
                  {core->control, ROLE_CONTROL},
                  {core->status, ROLE_STATUS},
                  {core->clear, ROLE_CLEAR},
                  {core->set, ROLE_SET}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].address && others[i].address == reg)
            return (struct core_register){.role = others[i].role, .read_only = others[i].role == ROLE_STATUS};
    return (struct core_register){.role = ROLE_NONE};
}

static uint64_t counter_bits(const struct core_layout *core) {
    return low_bits(core->counters) | low_bits(core->fixed_counters) << FIXED_STATUS_BIT;
}

static uint64_t fixed_reserved(const struct core_layout *core) {
    uint64_t reserved = ~low_bits(FIXED_BITS * core->fixed_counters);
    for (uint32_t i = 0; core->version >= VERSION_WITHOUT_ANY_THREAD && i < core->fixed_counters; i++)
        reserved |= (uint64_t)FIXED_ANY_THREAD << (FIXED_BITS * i);
    return reserved;
}

/* Rejects reserved bits. Status bits of units that the node lacks may be cleared, as on all processors. */
static int accept(const struct core_layout *core, const struct core_register *reg, uint64_t data, uint64_t *out) {
    uint64_t reserved = 0;
    if (reg->role == ROLE_SELECT)
        reserved = select_reserved(SELECT_CORE_INTEL, core->version);
    else if (reg->role == ROLE_CONTROL)
        reserved = ~counter_bits(core);
    else if (reg->role == ROLE_FIXED_CONTROL)
        reserved = fixed_reserved(core);
    else if (reg->role == ROLE_SET)
        reserved = ~(counter_bits(core) | FREEZE);
    *out = data;
    return data & reserved ? -1 : 0;
}

static int is_used(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i) {
    (void)core;
    if (kind == NAME_FIXED)
        return (state->fixed_control >> (FIXED_BITS * i) & FIXED_USER) != 0;
    return (state->select[i] & SELECT_ENABLE) != 0;
}

static int is_running(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i) {
    int frozen = core->version >= VERSION_OF_FREEZE && (state->status & FREEZE);
    uint32_t bit = kind == NAME_FIXED ? FIXED_STATUS_BIT + i : i;
    return !frozen && is_used(core, state, kind, i) && (state->control >> bit & 1);
}

static int any_thread(const struct core_state *state, int32_t kind, uint32_t i) {
    if (kind == NAME_FIXED)
        return (state->fixed_control >> (FIXED_BITS * i) & FIXED_ANY_THREAD) != 0;
    return (state->select[i] & SELECT_ANY_THREAD) != 0;
}

static const char *fixed_error(const struct core_state *state, uint32_t i) {
    return state->fixed_control >> (FIXED_BITS * i) & FIXED_KERNEL ? "kernel mode is not simulated" : NULL;
}

static void overflow(const struct pmu_table *table, struct core_state *state, int32_t kind, uint32_t i,
                     uint64_t wraps) {
    (void)table;
    if (wraps)
        state->status |= UINT64_C(1) << (kind == NAME_FIXED ? FIXED_STATUS_BIT + i : i);
}

static int takes(int merges, uint32_t i) {
    (void)merges;
    (void)i;
    return 1;
}

const struct core_driver core_intel = {.layout = SELECT_CORE_INTEL,
                                       .find = find,
                                       .accept = accept,
                                       .is_used = is_used,
                                       .is_running = is_running,
                                       .any_thread = any_thread,
                                       .fixed_error = fixed_error,
                                       .overflow = overflow,
                                       .takes = takes};
