/* node_desc.h - the description of a virtual node: a Lua file that returns a table, see vnode/nodes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_NODE_DESC_H
#define ASSAY_LAUNCH_NODE_DESC_H

#include <stddef.h>
#include <stdint.h>

#include "vnode/sim/config.h"

struct node_desc {
    char name[64];         /* the file's name without folder and .lua */
    char arch[32];         /* LIKWID's short name of the microarchitecture */
    char cpu[128];         /* name of the processor */
    uint32_t signature;    /* CPUID leaf 1, EAX */
    uint64_t memory_bytes; /* per socket */
    struct sim_config config;
};

/* Reads `path`. NULL, or one line "file:line: what" (in `error`): unreadable, no Lua, a field that is missing, unknown,
 * of the wrong type or out of range, or hardware that cannot be simulated. */
const char *node_desc_read(const char *path, struct node_desc *out, char *error, size_t error_size);

#endif
