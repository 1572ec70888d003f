/* keeper.h - a small process next to the launcher that ends a node whose launcher was killed: first the processes that
 * belong to the node, then its folder. A process that has made a session of its own is a daemon of the user's, and left
 * alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_KEEPER_H
#define ASSAY_LAUNCH_KEEPER_H

#include <sys/types.h>

#include "scratch.h"

/* Watches over the calling process on behalf of the node in `scratch`. 0: no process could be started; the next node
 * that is made then removes the folder. */
pid_t keeper_start(const struct scratch *scratch);

/* To be called before the node is removed; nothing if `keeper` is 0. */
void keeper_stop(pid_t keeper);

#endif
