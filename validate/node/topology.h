/* topology.h - what planning must know of a node's hardware, from hwloc: sockets, cores, caches, one CPU per core. */
#ifndef ASSAY_TOPOLOGY_H
#define ASSAY_TOPOLOGY_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads the topology of this machine (`xml` NULL) or of an hwloc XML file. Returns
 *   { "sockets", "cores_per_socket", "smt", "line_bytes", "cpu": model name or absent,
 *     "caches": [ { "level", "size_bytes", "ways" or absent, "shared_by_cores" } ... data and unified caches by level
 * ], "cpus_by_socket": [ [cpu, ...] ... ], "cpus_by_domain": the same by last-level cache, "cpus_by_numa": by memory,
 * "numa_domains" } sizes in bytes, of one such cache; CPUs are OS indices, of one hardware thread a core. NULL and the
 * reason. */
json_t *topology_read(const char *xml, struct error *error);

#endif
