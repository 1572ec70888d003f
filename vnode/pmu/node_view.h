/* node_view.h - the node as one of its readers sees it: an access daemon, or a process with perf events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NODE_VIEW_H
#define ASSAY_PMU_NODE_VIEW_H

#include <sys/types.h>

#include "vnode/node_file.h"

struct moment;

/* `client`: the process that the daemon serves (vnode/node_file.h), 0: none. */
struct node_view {
    struct node_file *node;
    pid_t client;
    struct moment *moment;        /* snapshot of all other processes; NULL: current totals (moment.h) */
    const struct sim_counts *own; /* these counts only; NULL: those of all processes */
};

/* Maps the file of the node in that folder. NULL and errno if it is no such file, or belongs to another version of this
 * program. */
struct node_file *node_map(const char *folder);

/* No process of the node ends while the lock is held (its totals would be counted twice or not at all). A lock whose
 * holder died is taken over. */
void node_lock(struct node_file *node);
void node_unlock(struct node_file *node);

#endif
