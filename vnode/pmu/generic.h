/* generic.h - the events that Linux' perf_event has on all processors: names as in `perf list`, and their numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_GENERIC_H
#define ASSAY_PMU_GENERIC_H

#include <stdint.h>

/* Type (PERF_TYPE_HARDWARE or PERF_TYPE_HW_CACHE) and config in struct perf_event_attr. 0, or -1: no such name. */
int generic_find(const char *name, uint32_t *type, uint64_t *config);

#endif
