/* response.h - offcore response: requests that left L2, filtered by request, supplier and snoop result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_RESPONSE_H
#define ASSAY_PMU_RESPONSE_H

#include "state.h"

/* NULL, or why a filter of an offcore response register is not modelled. */
const char *response_error(const struct pmu_table *table, uint64_t filter);

/* Number of a core's requests that match the filter. Call with the node locked. */
uint64_t response_value(const struct pmu_table *table, const struct node_view *view, uint32_t core, uint64_t filter);

#endif
