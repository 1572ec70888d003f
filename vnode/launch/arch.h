/* arch.h - an architecture's virtual nodes: `processor` and `levels` of groups/ARCH/machine.lua. The host program
 * uses the rest of the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_ARCH_H
#define ASSAY_LAUNCH_ARCH_H

#include <stddef.h>

#include "node_desc.h"
#include "vnode/sim/counts.h"

/* Number of sockets, of cores per socket and of hardware threads per core. */
struct shape {
    uint32_t sockets, cores, threads;
};

struct arch {
    struct node_desc node; /* all but the name; in the default shape */
    uint32_t domain_cores; /* maximum per last-level domain; 0: whole socket */
    uint32_t slices;       /* per last level; 0: one per core */
    uint32_t numa_per_socket;
    uint32_t hbm_channels; /* of a socket of those processors that have high-bandwidth memory; 0: none has */
    uint32_t sockets[SIM_SOCKETS_MAX]; /* allowed numbers, the rest 0 */
    uint32_t max_cores;                /* of a socket */
    uint32_t max_threads;              /* of a core */
    uint32_t smt_counters;             /* general counters of each thread if a core has two; 0: as many as with one */
    struct shape shape;                /* the default one */
    uint32_t is_default;               /* default architecture for a node without a name */
    int is_native;                     /* nothing else is known: its machine file has no `processor` */
};

/* Reads GROUPS/NAME/machine.lua. NULL, or one line in `error`, also for an architecture at native stage. */
const char *arch_read(const char *groups, const char *name, struct arch *out, char *error, size_t error_size);

/* The default architecture's name. NULL, or one line in `error`. */
const char *arch_default(const char *groups, char *name, size_t size, char *error, size_t error_size);

/* Parses "SxC" (one thread per core) or "SxCxT". 0, or -1: not a shape. */
int arch_shape_of(const char *text, struct shape *out);
/* Whether the architecture allows the shape; and a text of the allowed shapes. */
int arch_allows(const struct arch *arch, struct shape shape);
void arch_describe_shapes(const struct arch *arch, char *text, size_t size);

/* Sets the node's values that depend on its shape: domains, slices and counters. */
void arch_give_shape(const struct arch *arch, struct shape shape, struct node_desc *node);

#endif
