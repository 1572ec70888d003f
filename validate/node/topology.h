/* topology.h - a node's hardware for planning, from hwloc: sockets, cores, caches, one usable CPU per core. */
#ifndef ASSAY_TOPOLOGY_H
#define ASSAY_TOPOLOGY_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads the topology of this machine (`xml` NULL) or of an hwloc XML file. Returns
 *   { "sockets", "cores_per_socket": of the largest socket, "cores": of all sockets,
 *     "smt": the most hardware threads of a core, "line_bytes", "cpu": model name or absent,
 *     "caches": [ { "level", "size_bytes", "ways" or absent, "shared_by_cores" } ... ],
 *     "cpus_by_socket": [ [cpu, ...] ... ], "cpus_by_domain": the same by last-level cache,
 *     "socket_numbers", "domain_numbers": LIKWID's number of each entry of these lists (1: socket S1),
 *     "cpus_by_numa": by NUMA domain, "siblings": usable hardware threads of each core, "numa_domains": those with
 *     cores of their own, "domains": last-level caches, "usable": "4-7", "left_out": [ "CPU 0-3: why", ... ],
 *     "pci": PCI devices, [ "DEVICE.FUNCTION VENDOR:DEVICE", ... ] in hexadecimal digits, each once; [] if unknown }
 * Caches are data and unified caches by level; sizes are in bytes, of one cache. CPUs are OS indices, of one hardware
 * thread per core. Numbers of sockets, cores and domains are those of the whole machine. Lists have only
 * usable CPUs (in this process's cpuset, with memory, and of one type of core), and only sockets and domains with such
 * CPUs. Returns NULL and sets `error` on failure. */
json_t *topology_read(const char *xml, struct error *error);

#endif
