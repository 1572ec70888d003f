/* core_use.h - what an event select of a core counts. No libc: the engine links it, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_CORE_USE_H
#define ASSAY_PMU_CORE_USE_H

#include "table.h"

/* The event of a counter. */
struct core_use {
    struct formula formula; /* without terms: always 0 */
    int merges;             /* as in struct table_event */
    int by_response;        /* offcore responses that match `filter`, instead of the formula */
    uint64_t filter;
    int any_thread; /* of all hardware threads of the core */
};

/* Index of the offcore response register that a code and unit mask use, -1: none. */
int core_response(const struct pmu_table *table, uint32_t code, uint32_t umask);

/* The event of a select; `response`: values of the table's offcore response registers. NULL, or why it cannot count. */
const char *core_use_of(const struct pmu_table *table, enum select_layout layout, uint64_t select,
                        const uint64_t *response, struct core_use *out);

/* The event's total on a hardware thread. Call with the node locked. */
uint64_t core_use_value(const struct pmu_table *table, const struct node_view *view, uint32_t cpu,
                        const struct core_use *use);

#endif
