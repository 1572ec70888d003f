/* topology.h - a node's hardware for planning, from hwloc: sockets, cores, caches, one CPU per core. */
#ifndef ASSAY_TOPOLOGY_H
#define ASSAY_TOPOLOGY_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads the topology of this machine (`xml` NULL) or of an hwloc XML file. Returns
 *   { "sockets", "cores_per_socket", "smt", "line_bytes", "cpu": model name or absent,
 *     "caches": [ { "level", "size_bytes", "ways" or absent, "shared_by_cores" } ... ],
 *     "cpus_by_socket": [ [cpu, ...] ... ], "cpus_by_domain": the same by last-level cache,
 *     "cpus_by_numa": by NUMA domain, "siblings": all hardware threads of each core,
 *     "numa_domains" }
 * Caches are data and unified caches by level; sizes are in bytes, of one cache. CPUs are OS indices, of one hardware
 * thread per core. NULL with the reason. */
json_t *topology_read(const char *xml, struct error *error);

#endif
