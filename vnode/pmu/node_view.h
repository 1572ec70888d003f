/* node_view.h - the node as one access daemon sees it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NODE_VIEW_H
#define ASSAY_PMU_NODE_VIEW_H

#include <sys/types.h>

#include "vnode/node_file.h"

struct moment;

/* `client` is the process that the daemon serves (see vnode/node_file.h). */
struct node_view {
    struct node_file *node;
    pid_t client;
    struct moment *moment; /* at which all other processes are seen; NULL: now (moment.h) */
};

/* Between these two calls no process of the node ends (its totals would be seen twice, or not at all). A lock whose
 * holder has died is taken over. */
void node_lock(struct node_file *node);
void node_unlock(struct node_file *node);

#endif
