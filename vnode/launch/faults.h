/* faults.h - a node whose counters are wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_FAULTS_H
#define ASSAY_LAUNCH_FAULTS_H

#include <stddef.h>

#include "vnode.h"

/* Ways in which the counters of nodes of one name are wrong, read from text (vnode/pmu/fault_file.h). */
struct vnode_faults;

/* Reads `text`; `file` names it in messages. 0 and `*out`, which the caller gives to vnode_free_faults(); or -1 and one
 * line "FILE:LINE: what; what to do". */
int vnode_read_faults(const struct vnode *node, const char *file, const char *text, struct vnode_faults **out,
                      char *error, size_t error_size);
void vnode_free_faults(struct vnode_faults *faults);

/* The text without comments and needless blanks, one fault a line. */
const char *vnode_fault_lines(const struct vnode_faults *faults);

/* Makes the node's counters wrong from now on. Random faults differ between nodes of different `run`, a name; NULL: the
 * text's own seed decides alone. 0, or -1 and one line in `error`. */
int vnode_set_faults(const struct vnode *node, const struct vnode_faults *faults, const char *run, char *error,
                     size_t error_size);

#endif
