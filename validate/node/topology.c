/* topology.c - converts hwloc's topology to JSON. SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology.h"

#include <hwloc.h>
#include <string.h>

static const hwloc_obj_type_t cache_types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                               HWLOC_OBJ_L4CACHE};

static unsigned cores_in(hwloc_topology_t topology, hwloc_const_cpuset_t set) {
    return (unsigned)hwloc_get_nbobjs_inside_cpuset_by_type(topology, set, HWLOC_OBJ_CORE);
}

static json_t *caches(hwloc_topology_t topology, json_int_t *line_bytes, hwloc_obj_type_t *last) {
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof cache_types / sizeof cache_types[0]; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, cache_types[i], 0);
        if (cache == NULL)
            continue;
        *last = cache_types[i];
        json_t *level =
            json_pack("{s:i, s:I, s:i}", "level", (int)i + 1, "size_bytes", (json_int_t)cache->attr->cache.size,
                      "shared_by_cores", (int)cores_in(topology, cache->cpuset));
        if (cache->attr->cache.associativity > 0)
            json_object_set_new(level, "ways", json_integer(cache->attr->cache.associativity));
        if (cache->attr->cache.linesize > 0)
            *line_bytes = cache->attr->cache.linesize;
        json_array_append_new(list, level);
    }
    return list;
}

/* The first hardware thread of every core, grouped by socket, last-level cache or NUMA domain. */
static json_t *cpus_by(hwloc_topology_t topology, hwloc_obj_type_t type) {
    json_t *parts = json_array();
    for (hwloc_obj_t part = NULL; (part = hwloc_get_next_obj_by_type(topology, type, part)) != NULL;) {
        json_t *cpus = json_array();
        hwloc_obj_t core = NULL;
        while ((core = hwloc_get_next_obj_inside_cpuset_by_type(topology, part->cpuset, HWLOC_OBJ_CORE, core)) != NULL)
            json_array_append_new(cpus, json_integer(hwloc_bitmap_first(core->cpuset)));
        json_array_append_new(parts, cpus);
    }
    return parts;
}

/* The hardware threads of every core. */
static json_t *siblings(hwloc_topology_t topology) {
    json_t *cores = json_array();
    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != NULL;) {
        json_t *threads = json_array();
        unsigned cpu;
        hwloc_bitmap_foreach_begin(cpu, core->cpuset) json_array_append_new(threads, json_integer(cpu));
        hwloc_bitmap_foreach_end();
        json_array_append_new(cores, threads);
    }
    return cores;
}

static json_t *describe(hwloc_topology_t topology, struct error *error) {
    hwloc_obj_t socket = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, 0);
    if (socket == NULL || core == NULL) {
        error_set(error, "hwloc sees no sockets or no cores here; is /sys mounted? (try lstopo)");
        return NULL;
    }
    json_int_t line_bytes = 0;
    hwloc_obj_type_t last = HWLOC_OBJ_PACKAGE;
    json_t *cache_list = caches(topology, &line_bytes, &last);
    if (json_array_size(cache_list) == 0 || line_bytes == 0) {
        json_decref(cache_list);
        error_set(error, "hwloc sees no caches here; sizes of the data sets follow from them (try lstopo)");
        return NULL;
    }
    json_t *node = json_pack("{s:i, s:i, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:i}", "sockets",
                             hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE), "cores_per_socket",
                             (int)cores_in(topology, socket->cpuset), "smt", hwloc_bitmap_weight(core->cpuset),
                             "line_bytes", line_bytes, "caches", cache_list, "cpus_by_socket",
                             cpus_by(topology, HWLOC_OBJ_PACKAGE), "cpus_by_domain", cpus_by(topology, last),
                             "cpus_by_numa", cpus_by(topology, HWLOC_OBJ_NUMANODE), "siblings", siblings(topology),
                             "numa_domains", hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE));
    const char *model = hwloc_obj_get_info_by_name(socket, "CPUModel");
    if (model != NULL)
        json_object_set_new(node, "cpu", json_string(model));
    return node;
}

json_t *topology_read(const char *xml, struct error *error) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        error_set(error, "hwloc does not start; is it installed whole?");
        return NULL;
    }
    json_t *node = NULL;
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (xml != NULL && hwloc_topology_set_xml(topology, xml) != 0)
        error_set(error, "%s: hwloc cannot read this topology", xml);
    else if (hwloc_topology_load(topology) != 0)
        error_set(error, "%s: hwloc cannot load the topology", xml != NULL ? xml : "this machine");
    else
        node = describe(topology, error);
    hwloc_topology_destroy(topology);
    return node;
}
