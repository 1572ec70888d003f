/* core_driver.h - how the cores of one vendor count: what differs between drivers of core.c. Registers are those of the
 * table; a driver knows their bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_CORE_DRIVER_H
#define ASSAY_PMU_CORE_DRIVER_H

#include "state.h"

/* What a register of a core does. */
enum core_role {
    ROLE_NONE,
    ROLE_SELECT,
    ROLE_COUNTER,
    ROLE_FIXED,
    ROLE_FIXED_CONTROL,
    ROLE_CONTROL,
    ROLE_STATUS,
    ROLE_CLEAR, /* clears and sets bits of the status */
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
    int read_running; /* nothing stops all counters together: LIKWID reads them as they count (fault.h) */

    /* What a register does; ROLE_RESPONSE is not a driver's matter. */
    struct core_register (*find)(const struct core_layout *core, uint32_t reg);

    /* What writing `data` to a register stores, in `out`. -1: it is refused. */
    int (*accept)(const struct core_layout *core, const struct core_register *reg, uint64_t data, uint64_t *out);

    /* Whether PMCi or FIXCi (`kind`, NAME_PMC or NAME_FIXED) is programmed; whether it counts now. */
    int (*is_used)(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i);
    int (*is_running)(const struct core_layout *core, const struct core_state *state, int32_t kind, uint32_t i);

    /* Why FIXCi cannot count as it is programmed, NULL: it can. */
    const char *(*fixed_error)(const struct core_state *state, uint32_t i);

    /* What follows when a counter has wrapped that often. */
    void (*overflow)(const struct pmu_table *table, struct core_state *state, int32_t kind, uint32_t i, uint64_t wraps);

    /* Whether the event counts in PMCi. */
    int (*takes)(const struct table_event *event, uint32_t i);
};

extern const struct core_driver core_intel, core_amd;

const struct core_driver *core_driver(const struct pmu_table *table);

#endif
