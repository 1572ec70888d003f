/* topology.h - a node's topology in two formats: hwloc's XML, and LIKWID's topology file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_TOPOLOGY_H
#define ASSAY_LAUNCH_TOPOLOGY_H

#include "node_desc.h"

/* Why a simulatable node cannot be presented to programs, in the form of sim_config_error(); NULL: it can. */
const char *topology_error(const struct sim_config *config);

/* Write `path`. 0, or -1 and errno. */
int topology_write_hwloc(const struct node_desc *desc, const char *path);
int topology_write_likwid(const struct node_desc *desc, const char *path);

/* Consecutive cores. */
struct core_range {
    uint32_t first, count;
};

/* Cores of a socket, of a last-level domain and of a NUMA domain. */
struct core_range topology_socket(const struct sim_config *config, uint32_t socket);
struct core_range topology_domain(const struct sim_config *config, uint32_t domain);
struct core_range topology_numa(const struct sim_config *config, uint32_t numa);

/* The hardware threads of these cores, a bit for each. */
uint64_t topology_cpus(const struct sim_config *config, struct core_range cores);

/* Size of one last level, all slices. */
uint64_t topology_last_level(const struct sim_config *config);

/* Bytes of memory of a NUMA node (sim_numa_nodes()). */
uint64_t topology_memory(const struct node_desc *desc, uint32_t numa);

/* NUMA distance between two memories in firmware's units: 10 is local. Those of high-bandwidth memory are a Xeon
 * Max's in flat mode. */
int topology_distance(const struct sim_config *config, uint32_t from, uint32_t to);

/* CPUID's name of a vendor. */
const char *topology_vendor(uint32_t vendor);

/* Family, model and stepping of a CPUID signature (leaf 1, EAX), with the extended fields added by Intel's and AMD's
 * rules. */
unsigned signature_family(uint32_t signature);
unsigned signature_model(uint32_t signature);
unsigned signature_stepping(uint32_t signature);

#endif
