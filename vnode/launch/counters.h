/* counters.h - the counters of a node: its performance monitoring unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_COUNTERS_H
#define ASSAY_LAUNCH_COUNTERS_H

#include "vnode/pmu/compiled.h"
#include "vnode_private.h"

/* Reads the event table `path` (vnode/pmu/table_file.h) and writes the file for the node's access daemons. `counters`:
 * most general counters of a hardware thread, 0: as many as in the table. 0, or -1 and one line in `error`. */
int counters_write(const struct vnode *node, const char *path, uint32_t counters, char *error, size_t error_size);

/* Replaces that file. Same results. */
int counters_store(const struct vnode *node, struct compiled *compiled, char *error, size_t error_size);

#endif
