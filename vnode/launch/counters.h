/* counters.h - the counters of a node: its performance monitoring unit, and the faults that it has.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_COUNTERS_H
#define ASSAY_LAUNCH_COUNTERS_H

#include "vnode_private.h"

/* Reads the table of events `path` (vnode/pmu/table_file.h) and writes what the node's access daemons need. 0, or -1
 * and one line in `error`. */
int counters_write(const struct vnode *node, const char *path, char *error, size_t error_size);

#endif
