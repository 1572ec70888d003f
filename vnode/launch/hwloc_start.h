/* hwloc_start.h - begins a topology that hwloc does not discover, so without hwloc's plugins: they load OpenCL and X11,
 * which costs more than the topology.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_HWLOC_START_H
#define ASSAY_LAUNCH_HWLOC_START_H

#include <hwloc.h>
#include <stdlib.h>

/* Like hwloc_topology_init(). The variable is not left to processes that are started later. */
static inline int hwloc_start(hwloc_topology_t *topology) {
    static const char folder[] = "HWLOC_PLUGINS_PATH";
    if (getenv(folder))
        return hwloc_topology_init(topology);
    setenv(folder, "/dev/null", 0);
    int result = hwloc_topology_init(topology);
    unsetenv(folder);
    return result;
}

#endif
