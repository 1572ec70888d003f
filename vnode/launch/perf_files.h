/* perf_files.h - the files by which Linux describes its perf_event: /sys/bus/event_source and kernel settings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_PERF_FILES_H
#define ASSAY_LAUNCH_PERF_FILES_H

#include "vnode/pmu/table.h"

/* Writes them below the node's folder. `paranoid`: as in struct node_file. `devices`: 0: only the settings. 0, or
 * -1 and errno. */
int perf_files_write(const struct pmu_table *table, const struct sim_config *config, int paranoid, int devices,
                     const char *folder);

#endif
