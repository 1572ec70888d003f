/* arch.h - an architecture's virtual nodes, as groups/ARCH/machine.lua describes them: `processor` and `levels`. The
 * rest of the file is the host program's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_ARCH_H
#define ASSAY_LAUNCH_ARCH_H

#include <stddef.h>

#include "node_desc.h"
#include "vnode/sim/counts.h"

/* A number of sockets, and of cores in each. */
struct shape {
    uint32_t sockets, cores;
};

struct arch {
    struct node_desc node; /* all but the name and what follows from a shape */
    uint32_t domain_cores; /* that share a last level at most; 0: all of a socket */
    uint32_t slices;       /* of a last level; 0: one per core */
    uint32_t numa_per_socket;
    uint32_t sockets[SIM_SOCKETS_MAX]; /* numbers of them that may be, the rest 0 */
    uint32_t max_cores;                /* of a socket */
    struct shape shape;                /* the default one */
    uint32_t is_default;               /* a node without a name is of this architecture */
};

/* Reads GROUPS/NAME/machine.lua. NULL, or one line in `error`. */
const char *arch_read(const char *groups, const char *name, struct arch *out, char *error, size_t error_size);

/* The name of the architecture of a node without a name. NULL, or one line in `error`. */
const char *arch_default(const char *groups, char *name, size_t size, char *error, size_t error_size);

/* Reads "SxC". 0, or -1: no shape. */
int arch_shape_of(const char *text, struct shape *out);
/* Whether a node of the architecture may have the shape; and which it may have, in words. */
int arch_allows(const struct arch *arch, struct shape shape);
void arch_describe_shapes(const struct arch *arch, char *text, size_t size);

/* Gives the node what follows from its shape: domains and slices. */
void arch_give_shape(const struct arch *arch, struct shape shape, struct node_desc *node);

#endif
