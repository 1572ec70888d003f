/* faults.h - sets faults of a node's counters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_FAULTS_H
#define ASSAY_LAUNCH_FAULTS_H

#include <stddef.h>

#include "vnode.h"

/* Faults of nodes of one name, parsed from text (vnode/pmu/fault_file.h). */
struct vnode_faults;

/* Parses `text`; `file`: its name in messages. 0 and `*out`, to be freed with vnode_free_faults(); or -1 and one line
 * "FILE:LINE: what; what to do". */
int vnode_read_faults(const struct vnode *node, const char *file, const char *text, struct vnode_faults **out,
                      char *error, size_t error_size);
void vnode_free_faults(struct vnode_faults *faults);

/* The text without comments and extra blanks, one fault per line. */
const char *vnode_fault_lines(const struct vnode_faults *faults);

/* Applies the faults to the node from now on. Random faults differ between nodes with different names `run`; NULL:
 * they depend on the text's seed only. 0, or -1 and one line in `error`. */
int vnode_set_faults(const struct vnode *node, const struct vnode_faults *faults, const char *run, char *error,
                     size_t error_size);

#endif
