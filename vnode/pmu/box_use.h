/* box_use.h - the boxes of a node, and what an event select of a box counts. No libc: the engine links it, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_BOX_USE_H
#define ASSAY_PMU_BOX_USE_H

#include "table.h"

/* The event of a counter. */
struct box_use {
    struct formula formula; /* without terms: always 0 */
    struct total_filter filter;
};

/* box_places: boxes of a kind per socket. box_instances: number of them with different LIKWID names; boxes of cores
 * and domains share their names. */
uint32_t box_places(const struct box_layout *box, const struct sim_config *config);
uint32_t box_instances(const struct box_layout *box, const struct sim_config *config);

/* The event of a select; `filter`: values of the box's filters. NULL, or why it cannot count. */
const char *box_use_of(const struct pmu_table *table, const struct box_layout *box, uint64_t select,
                       const uint64_t *filter, struct box_use *out);

#endif
