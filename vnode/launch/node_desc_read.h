/* node_desc_read.h - reads a virtual node's description, by its name or from its file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_NODE_DESC_READ_H
#define ASSAY_LAUNCH_NODE_DESC_READ_H

#include <stddef.h>

#include "node_desc.h"

/* Reads a node by name: ARCH-SxC with S sockets of C cores, ARCH-SxCxT with T hardware threads per core, ARCH in its
 * default shape, "" for the default node; `groups`: folder of the architectures. Behind a name, "+pipeline" gives its
 * cores pipelines. A name with a '/' is the path of a node file.
 *
 * A node file returns a table: `arch` and the differences from the architecture, a shape (`sockets`,
 * `cores_per_socket`, `threads_per_core`, `numa_domains`), `pages` ("ordered", "random"), `prefetchers`
 * (prefetchers.h), `hbm` ("none", "flat": high-bandwidth memory as a second memory of each NUMA domain), `pipeline`
 * (cycles follow the cores' pipelines), `perf_event_paranoid` (0 to 3), `perf_kernel` (the same as -1), `ghost_boxes`
 * (boxes of the channels that the last socket lacks are there and count nothing), `last_channels` (memory channels of
 * each NUMA domain of the last socket; 0: it has no memory) and parameters by their names in struct sim_config. Returns
 * NULL, or one line in `error`: no such architecture, an impossible shape, or "file:line: what" for a file that is
 * unreadable, not Lua, has a missing, unknown, mistyped or out of range field, or describes hardware that cannot be
 * simulated. */
const char *node_desc_read(const char *name, const char *groups, struct node_desc *out, char *error, size_t error_size);

/* The allowed shapes of an architecture as one line of text, "ARCH-SxC: S sockets (1, 2, 4) of C cores (1 to 18), 64
 * in all at most; SxCx2: ...", and the name of its node in default shape. 0; 1 for an architecture at native stage,
 * which has no nodes; or -1 and the reason. */
struct node_shapes {
    char name[64];
    char text[256];
};
int node_desc_shapes(const char *arch, const char *groups, struct node_shapes *out, char *error, size_t error_size);

#endif
