/* node_desc_read.h - what a virtual node is, by its name or from its file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_NODE_DESC_READ_H
#define ASSAY_LAUNCH_NODE_DESC_READ_H

#include <stddef.h>

#include "node_desc.h"

/* Reads the node of that name: ARCH-SxC with S sockets of C cores, ARCH in its default shape, "" for the default node,
 * of `groups`, the folder with the architectures; or, if it has a '/', the path of a node file.
 *
 * A node file returns a table: `arch` and what is to be otherwise than the architecture says, a shape (`sockets`,
 * `cores_per_socket`) and parameters by the names of struct sim_config.
 * NULL, or one line in `error`: no such architecture, a shape that it cannot have, or "file:line: what" of an
 * unreadable file, no Lua, a field that is missing, unknown, of the wrong type or out of range, hardware that cannot be
 * simulated. */
const char *node_desc_read(const char *name, const char *groups, struct node_desc *out, char *error, size_t error_size);

/* The shapes that an architecture's nodes may have, as one line of text: "ARCH-SxC: S sockets (1, 2, 4) of C cores
 * (1 to 18), 64 in all"; and the name of the one in its default shape. 0, or -1 and the reason. */
struct node_shapes {
    char name[64];
    char text[256];
};
int node_desc_shapes(const char *arch, const char *groups, struct node_shapes *out, char *error, size_t error_size);

#endif
