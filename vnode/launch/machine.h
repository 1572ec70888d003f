/* machine.h - what /proc and /sys tell of the node's machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_MACHINE_H
#define ASSAY_LAUNCH_MACHINE_H

#include <stddef.h>

#include "node_desc.h"

/* Writes below `folder`, under the host's own paths, the files that vnode/node_path.h keeps from programs of the node:
 * `proc/cpuinfo`, `proc/meminfo`, `sys/devices/system/cpu`, `sys/devices/system/node`, and `sys/bus` with links to
 * them. 0, or -1 and errno. */
int machine_write(const struct node_desc *desc, const char *folder);

#endif
