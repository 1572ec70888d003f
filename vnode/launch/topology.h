/* topology.h - a node's topology in the two forms that programs read: hwloc's XML, and the topology file of LIKWID.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_TOPOLOGY_H
#define ASSAY_LAUNCH_TOPOLOGY_H

#include "node_desc.h"

/* Write `path`. 0, or -1 and errno. */
int topology_write_hwloc(const struct node_desc *desc, const char *path);
int topology_write_likwid(const struct node_desc *desc, const char *path);

/* The distance of two sockets' memory as firmware tells it: 10 is the socket's own. */
int topology_distance(uint32_t from, uint32_t to);

/* Parts of a CPUID signature (Intel SDM, CPUID leaf 1), with the extended parts added as Intel says. */
unsigned signature_family(uint32_t signature);
unsigned signature_model(uint32_t signature);
unsigned signature_stepping(uint32_t signature);

#endif
