/* core_driver.h - how the cores of one vendor count: the part of core.c that differs. The table gives the registers'
 * addresses, the driver knows their bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_CORE_DRIVER_H
#define ASSAY_PMU_CORE_DRIVER_H

#include "state.h"

/* Purpose of a core's register. */
enum core_role {
    ROLE_NONE,
    ROLE_SELECT,
    ROLE_COUNTER,
    ROLE_FIXED,
    ROLE_FIXED_CONTROL,
    ROLE_CONTROL,
    ROLE_STATUS,
    ROLE_CLEAR, /* clears status bits; ROLE_SET sets them */
    ROLE_SET,
    ROLE_RESPONSE
};

struct core_register {
    enum core_role role;
    uint32_t index;
    int read_only;
};

struct core_driver {
    enum select_layout layout;
    int read_running; /* no register stops all counters together: LIKWID reads them while they count (fault.h) */

    /* The purpose of a register; never ROLE_RESPONSE, which core.c handles. */
    struct core_register (*find)(const struct core_layout *core, uint32_t reg);

    /* Converts `data`, written to a register, to the stored value in `out`. -1: the write is refused. */
    int (*accept)(const struct core_layout *core, const struct core_register *reg, uint64_t data, uint64_t *out);

    /* Whether PMCi or FIXCi (`kind`: NAME_PMC or NAME_FIXED) is programmed, and whether it counts now. */
    int (*is_used)(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i);
    int (*is_running)(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i);

    /* Whether the counter counts what all hardware threads of the core do, not only its own. */
    int (*any_thread)(const struct core_state *state, int32_t kind, uint32_t i);

    /* Why FIXCi cannot count as programmed, NULL: it can. */
    const char *(*fixed_error)(const struct core_state *state, uint32_t i);

    /* Handles `wraps` overflows of a counter. */
    void (*overflow)(const struct pmu_table *table, struct core_state *state, int32_t kind, uint32_t i, uint64_t wraps);

    /* Whether PMCi can count an event; `merges` as in struct table_event. */
    int (*takes)(int merges, uint32_t i);
};

extern const struct core_driver core_intel, core_amd;

const struct core_driver *core_driver(const struct pmu_table *table);

#endif
