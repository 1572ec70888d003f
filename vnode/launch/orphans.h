/* orphans.h - processes that a command leaves behind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_ORPHANS_H
#define ASSAY_LAUNCH_ORPHANS_H

#include <sys/types.h>

/* From now on processes whose parents end become children of this one. 0, or -1 and errno. */
int orphans_adopt(void);

/* Waits `milliseconds` for all children but `spared` (0: none) to end, then kills those that have not, with their
 * descendants. Returns how many had to be killed. Call it when this process has no other children; orphans are then
 * adopted no longer. */
int orphans_end(pid_t spared, int milliseconds);

#endif
