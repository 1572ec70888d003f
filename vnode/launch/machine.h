/* machine.h - the node's files in /proc and /sys that describe the machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_MACHINE_H
#define ASSAY_LAUNCH_MACHINE_H

#include "node_desc.h"

/* Writes the files that replace the host's (vnode/node_path.h) below `folder`, under the same paths: `proc/cpuinfo`,
 * `proc/meminfo`, `sys/devices/system/cpu`, `sys/devices/system/node`, links to them in `sys/bus`, and
 * `sys/kernel/mm/transparent_hugepage`. 0, or -1 and errno. */
int machine_write(const struct node_desc *desc, const char *folder);

#endif
