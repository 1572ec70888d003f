/* topology_hwloc.c - a node's topology as hwloc's XML, made by hwloc itself from a synthetic description.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>

#include "topology.h"

static void complete_caches(hwloc_topology_t topology, hwloc_obj_type_t type, const struct sim_config *config,
                            uint32_t ways) {
    for (hwloc_obj_t obj = hwloc_get_next_obj_by_type(topology, type, NULL); obj;
         obj = hwloc_get_next_obj_by_type(topology, type, obj)) {
        obj->attr->cache.linesize = config->line;
        obj->attr->cache.associativity = (int)ways;
    }
}

static void name_packages(hwloc_topology_t topology, const struct node_desc *desc) {
    char family[16], model[16], stepping[16];
    snprintf(family, sizeof family, "%u", signature_family(desc->signature));
    snprintf(model, sizeof model, "%u", signature_model(desc->signature));
    snprintf(stepping, sizeof stepping, "%u", signature_stepping(desc->signature));
    for (hwloc_obj_t obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, NULL); obj;
         obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, obj)) {
        hwloc_obj_add_info(obj, "CPUVendor", "GenuineIntel");
        hwloc_obj_add_info(obj, "CPUFamilyNumber", family);
        hwloc_obj_add_info(obj, "CPUModelNumber", model);
        hwloc_obj_add_info(obj, "CPUModel", desc->cpu);
        hwloc_obj_add_info(obj, "CPUStepping", stepping);
    }
    hwloc_obj_add_info(hwloc_get_root_obj(topology), "Architecture", "x86_64");
}

static int build(hwloc_topology_t topology, const struct node_desc *desc) {
    const struct sim_config *config = &desc->config;
    char text[512];
    snprintf(text, sizeof text,
             "Package:%u [NUMANode(memory=%llu)] L3Cache:1(size=%llu) L2Cache:%u(size=%llu) L1dCache:1(size=%llu) "
             "L1iCache:1(size=%llu) Core:1 PU:1",
             config->sockets, (unsigned long long)desc->memory_bytes,
             (unsigned long long)(config->l3.size * config->cores_per_socket), config->cores_per_socket,
             (unsigned long long)config->l2.size, (unsigned long long)config->l1d.size,
             (unsigned long long)config->l1i.size);
    return hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
                   hwloc_topology_set_synthetic(topology, text) == 0 && hwloc_topology_load(topology) == 0
               ? 0
               : -1;
}

int topology_write_hwloc(const struct node_desc *desc, const char *path) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return -1;
    int result = build(topology, desc);
    if (result == 0) {
        complete_caches(topology, HWLOC_OBJ_L1CACHE, &desc->config, desc->config.l1d.ways);
        complete_caches(topology, HWLOC_OBJ_L1ICACHE, &desc->config, desc->config.l1i.ways);
        complete_caches(topology, HWLOC_OBJ_L2CACHE, &desc->config, desc->config.l2.ways);
        complete_caches(topology, HWLOC_OBJ_L3CACHE, &desc->config, desc->config.l3.ways);
        name_packages(topology, desc);
        result = hwloc_topology_export_xml(topology, path, 0);
    }
    int saved = errno;
    hwloc_topology_destroy(topology);
    errno = saved;
    return result;
}
