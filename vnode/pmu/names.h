/* names.h - LIKWID's names of counters and boxes on a node: PMC0, FIXC1, CBOX1C2, MBOX0FIX; MBOX0 for the whole box.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NAMES_H
#define ASSAY_PMU_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "table.h"

enum { NAME_PMC = -2, NAME_FIXED = -1 }; /* kinds of counters of cores */

/* One counter of each core, or of each box that the name stands for. */
struct counter_id {
    int32_t kind;             /* NAME_PMC, NAME_FIXED, or the index of a kind of box in the table */
    uint32_t instance, index; /* instance: of the box (cores: 0); index: of the counter in it */
};

void counter_name(const struct pmu_table *table, const struct counter_id *id, char *out, size_t size);

/* Both: 0 and `out`, or -1: no such counter or box. box_find() sets `index` to 0. */
int counter_find(const struct pmu_table *table, const struct sim_config *config, const char *name,
                 struct counter_id *out);
int box_find(const struct pmu_table *table, const struct sim_config *config, const char *name, struct counter_id *out);

#endif
