/* keeper.h - a small process that cleans up a node whose launcher was killed: it ends the node's processes, then
 * removes the folder. A process in a session of its own is a daemon of the user and left alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_KEEPER_H
#define ASSAY_LAUNCH_KEEPER_H

#include <sys/types.h>

#include "scratch.h"

/* Starts a keeper that watches the calling process, for the node in `scratch`. 0: not started; then the next node to
 * be created removes the folder. */
pid_t keeper_start(const struct scratch *scratch);

/* Call before the node is removed; no effect if `keeper` is 0. */
void keeper_stop(pid_t keeper);

#endif
