/* orphans.h - processes that a command leaves running.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_ORPHANS_H
#define ASSAY_LAUNCH_ORPHANS_H

#include <sys/types.h>

/* Makes this process adopt descendants whose parents end. 0, or -1 and errno. */
int orphans_adopt(void);

/* Waits `milliseconds` for all children but `spared` (0: none) to end, then kills the remaining ones with their
 * descendants. Returns the number killed. Call it when this process has no other children; adoption then stops. */
int orphans_end(pid_t spared, int milliseconds);

#endif
