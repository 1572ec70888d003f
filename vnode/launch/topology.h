/* topology.h - a node's topology in the two forms that programs read: hwloc's XML, and the topology file of LIKWID.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_TOPOLOGY_H
#define ASSAY_LAUNCH_TOPOLOGY_H

#include "node_desc.h"

/* Why programs cannot be shown a node that could be simulated, in the form of sim_config_error(); NULL: they can. */
const char *topology_error(const struct sim_config *config);

/* Write `path`. 0, or -1 and errno. */
int topology_write_hwloc(const struct node_desc *desc, const char *path);
int topology_write_likwid(const struct node_desc *desc, const char *path);

/* Cores next to each other. */
struct core_range {
    uint32_t first, count;
};

/* Of a socket, of a last-level domain and of a NUMA domain. */
struct core_range topology_socket(const struct sim_config *config, uint32_t socket);
struct core_range topology_domain(const struct sim_config *config, uint32_t domain);
struct core_range topology_numa(const struct sim_config *config, uint32_t numa);

/* Bytes of one last level, all slices together. */
uint64_t topology_last_level(const struct sim_config *config);

/* The distance of two NUMA domains' memory as firmware tells it: 10 is a domain's own. */
int topology_distance(const struct sim_config *config, uint32_t from, uint32_t to);

/* The name of a vendor as CPUID spells it. */
const char *topology_vendor(uint32_t vendor);

/* Parts of a CPUID signature (leaf 1, EAX), with the extended parts added as Intel and AMD say. */
unsigned signature_family(uint32_t signature);
unsigned signature_model(uint32_t signature);
unsigned signature_stepping(uint32_t signature);

#endif
