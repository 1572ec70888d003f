/* state.h - the state of the performance monitoring units of a node (pmu.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_STATE_H
#define ASSAY_PMU_STATE_H

#include <stdint.h>

#include "fault.h"
#include "table.h"
#include "totals.h"

/* Answers, numbered as in LIKWID's protocol. */
enum pmu_answer {
    PMU_OK = 0,
    PMU_UNKNOWN = 1,
    PMU_RESTRICTED = 2,
    PMU_NO_CPU = 3,
    PMU_NO_REGISTER = 4,
    PMU_NO_DEVICE = 6
};

struct counter {
    uint64_t value;             /* value when it was last started, stopped or written */
    uint64_t counted, start;    /* the event's count since then, and its total at the last update */
    uint32_t running, interval; /* interval: number of its counting interval (fault.h) */
    uint64_t began, elapsed;    /* uncore cycles when the interval began, and since then, for noise (noise.h) */
};

struct core_state {
    uint64_t select[CORE_COUNTERS], fixed_control, control, status;
    uint64_t response[TABLE_RESPONSES], stored[TABLE_REGISTERS];
    uint32_t asked[TABLE_UNMODELLED]; /* reads of counters that are not modelled */
    struct counter counter[CORE_COUNTERS], fixed[CORE_FIXED];
};

struct box_state {
    uint64_t control, status, filter[BOX_FILTERS], select[BOX_COUNTERS];
    struct counter counter[BOX_COUNTERS];
};

struct socket_state {
    uint64_t freeze_control, freeze_status;
    uint32_t frozen, reserved;
};

enum { PMU_BOXES = 1024 }; /* of a node */

struct pmu_state {
    struct core_state core[SIM_CORES_MAX];
    struct socket_state socket[SIM_SOCKETS_MAX];
    struct box_state box[PMU_BOXES]; /* by kind, then by socket (uncore.c) */
};

struct pmu {
    const struct pmu_table *table;
    struct node_view view;
    struct pmu_state *state;
    const struct fault_list *faults; /* NULL: none */
    /* Called when a counter is enabled for something not modelled; may be NULL. */
    void (*not_counted)(void *context, const char *counter, uint64_t select, const char *reason);
    void *context;
};

#endif
