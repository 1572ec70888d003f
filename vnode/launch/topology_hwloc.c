/* topology_hwloc.c - a node's topology as hwloc's XML, made by hwloc from a synthetic description.
 *
 * hwloc's descriptions are regular. If a node's last-level domains are not all full, it is described with full ones,
 * and the excess cores, which have the highest numbers, are then removed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hwloc_start.h"
#include "topology.h"

static void complete_caches(hwloc_topology_t topology, hwloc_obj_type_t type, const struct sim_config *config,
                            uint32_t ways) {
    for (hwloc_obj_t obj = hwloc_get_next_obj_by_type(topology, type, NULL); obj;
         obj = hwloc_get_next_obj_by_type(topology, type, obj)) {
        obj->attr->cache.linesize = config->line;
        obj->attr->cache.associativity = (int)ways;
    }
}

static void empty_memories(hwloc_topology_t topology, const struct node_desc *desc) {
    for (hwloc_obj_t obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, NULL); obj;
         obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, obj))
        obj->attr->numanode.local_memory = topology_memory(desc, obj->os_index);
}

static void name_packages(hwloc_topology_t topology, const struct node_desc *desc) {
    char family[16], model[16], stepping[16];
    snprintf(family, sizeof family, "%u", signature_family(desc->signature));
    snprintf(model, sizeof model, "%u", signature_model(desc->signature));
    snprintf(stepping, sizeof stepping, "%u", signature_stepping(desc->signature));
    for (hwloc_obj_t obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, NULL); obj;
         obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, obj)) {
        hwloc_obj_add_info(obj, "CPUVendor", topology_vendor(desc->vendor));
        hwloc_obj_add_info(obj, "CPUFamilyNumber", family);
        hwloc_obj_add_info(obj, "CPUModelNumber", model);
        hwloc_obj_add_info(obj, "CPUModel", desc->cpu);
        hwloc_obj_add_info(obj, "CPUStepping", stepping);
    }
    hwloc_obj_add_info(hwloc_get_root_obj(topology), "Architecture", "x86_64");
}

/* Number of last levels or of NUMA domains per socket, whichever is larger. */
static uint32_t finer(const struct sim_config *config) {
    return config->numa_per_socket > config->domains_per_socket ? config->numa_per_socket : config->domains_per_socket;
}

/* Cores per such part if full; and per socket with only full parts. */
static uint32_t full_part(const struct sim_config *config) {
    return sim_part(config->cores_per_socket, finer(config));
}

static uint32_t full_socket(const struct sim_config *config) {
    return full_part(config) * finer(config);
}

const char *topology_error(const struct sim_config *config) {
    uint32_t coarser =
        config->numa_per_socket < config->domains_per_socket ? config->numa_per_socket : config->domains_per_socket;
    if (coarser == 1 || (finer(config) % coarser == 0 &&
                         sim_part(config->cores_per_socket, coarser) == full_part(config) * (finer(config) / coarser)))
        return NULL;
    return "cores_per_socket: with this number a last level would span two NUMA domains";
}

/* "(indexes=0,1,..)" for all cores of full domains, or with `threads` > 1 for their hardware threads, a core's next to
 * each other; empty if hwloc numbers them so by itself. To be freed by the caller. */
static char *indexes(const struct sim_config *config, uint32_t threads) {
    char *text = NULL;
    size_t size = 0;
    uint32_t full = full_socket(config), core = 0, cores = sim_cores(config), too_many = cores * threads;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (uint32_t i = 0; (full > config->cores_per_socket || threads > 1) && i < full * config->sockets; i++) {
        int exists = i % full < config->cores_per_socket;
        for (uint32_t thread = 0; thread < threads; thread++)
            fprintf(stream, "%s%u", i + thread == 0 ? "(indexes=" : ",", exists ? core + thread * cores : too_many++);
        core += exists ? 1 : 0;
    }
    fputs(core ? ")" : "", stream);
    return fclose(stream) == 0 ? text : NULL;
}

/* " [NUMANode(..)]", with high-bandwidth memory a second one. hwloc numbers both memories of a NUMA domain in turn, the
 * node as in sim_memories(). To be freed by the caller. */
static char *memories(const struct node_desc *desc) {
    char *text = NULL;
    size_t size = 0;
    uint32_t numas = sim_numas(&desc->config);
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, " [NUMANode(memory=%llu", (unsigned long long)desc->memory_bytes);
    if (sim_memories(&desc->config) > numas) {
        for (uint32_t i = 0; i < numas; i++)
            fprintf(stream, "%s%u,%u", i == 0 ? " indexes=" : ",", i, numas + i);
        fprintf(stream, ")] [NUMANode(memory=%llu", (unsigned long long)desc->memory_bytes);
    }
    fputs(")]", stream);
    return fclose(stream) == 0 ? text : NULL;
}

/* A NUMA domain's memory is attached to the object with its cores: a package, a group of last levels or a group of
 * cores in one. 0, or -1 and errno. */
static int describe(const struct node_desc *desc, const char *memory, const char *cores, const char *cpus, char *text,
                    size_t size) {
    const struct sim_config *config = &desc->config;
    uint32_t numas = config->numa_per_socket, domains = config->domains_per_socket;
    char above[256] = "", below[256] = "";
    if (numas > domains)
        snprintf(below, sizeof below, " Group:%u%s", numas / domains, memory);
    else if (numas > 1)
        snprintf(above, sizeof above, " Group:%u%s", numas, memory);
    int length = snprintf(text, size,
                          "Package:%u%s%s L3Cache:%u(size=%llu)%s L2Cache:%u(size=%llu) L1dCache:1(size=%llu) "
                          "L1iCache:1(size=%llu) Core:1%s PU:%u%s",
                          config->sockets, numas == 1 ? memory : "", above, *above ? domains / numas : domains,
                          (unsigned long long)topology_last_level(config), below, full_part(config),
                          (unsigned long long)config->l2.size, (unsigned long long)config->l1d.size,
                          (unsigned long long)config->l1i.size, cores, sim_threads(config), cpus);
    errno = EINVAL;
    return length > 0 && (size_t)length < size ? 0 : -1;
}

/* Removes the cores that only fill up domains. */
static int cut(hwloc_topology_t topology, const struct sim_config *config) {
    if (full_socket(config) == config->cores_per_socket)
        return 0;
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
    int result = cpus ? hwloc_bitmap_set_range(cpus, 0, (int)sim_cpus(config) - 1) : -1;
    if (result == 0)
        result = hwloc_topology_restrict(topology, cpus, 0);
    hwloc_bitmap_free(cpus);
    return result;
}

static int build(hwloc_topology_t topology, const struct node_desc *desc) {
    char text[2048], *cores = indexes(&desc->config, 1), *cpus = indexes(&desc->config, sim_threads(&desc->config));
    char *memory = memories(desc);
    int result = cores && cpus && memory ? describe(desc, memory, cores, cpus, text, sizeof text) : -1;
    free(memory);
    free(cores);
    free(cpus);
    return result == 0 && hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
                   hwloc_topology_set_synthetic(topology, text) == 0 && hwloc_topology_load(topology) == 0 &&
                   cut(topology, &desc->config) == 0
               ? 0
               : -1;
}

int topology_write_hwloc(const struct node_desc *desc, const char *path) {
    hwloc_topology_t topology;
    if (hwloc_start(&topology) != 0)
        return -1;
    int result = build(topology, desc);
    if (result == 0) {
        complete_caches(topology, HWLOC_OBJ_L1CACHE, &desc->config, desc->config.l1d.ways);
        complete_caches(topology, HWLOC_OBJ_L1ICACHE, &desc->config, desc->config.l1i.ways);
        complete_caches(topology, HWLOC_OBJ_L2CACHE, &desc->config, desc->config.l2.ways);
        complete_caches(topology, HWLOC_OBJ_L3CACHE, &desc->config, desc->config.l3.ways);
        empty_memories(topology, desc);
        name_packages(topology, desc);
        result = hwloc_topology_export_xml(topology, path, 0);
    }
    int saved = errno;
    hwloc_topology_destroy(topology);
    errno = saved;
    return result;
}
