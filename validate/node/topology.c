/* topology.c - converts hwloc's topology to JSON. SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vnode/launch/hwloc_start.h"

static const hwloc_obj_type_t cache_types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                               HWLOC_OBJ_L4CACHE};

/* A topology, and its CPUs that may be measured. */
struct machine {
    hwloc_topology_t topology;
    hwloc_bitmap_t usable;
    json_t *left_out; /* texts about the other CPUs */
};

static unsigned cores_in(const struct machine *machine, hwloc_const_cpuset_t set) {
    return (unsigned)hwloc_get_nbobjs_inside_cpuset_by_type(machine->topology, set, HWLOC_OBJ_CORE);
}

/* The most objects of type `part` in an object of type `whole`, as others may have offline ones. */
static int most_in(const struct machine *machine, hwloc_obj_type_t whole, hwloc_obj_type_t part) {
    int most = 0;
    for (hwloc_obj_t one = NULL; (one = hwloc_get_next_obj_by_type(machine->topology, whole, one)) != NULL;) {
        int parts = hwloc_get_nbobjs_inside_cpuset_by_type(machine->topology, one->cpuset, part);
        most = parts > most ? parts : most;
    }
    return most;
}

/* The first object of a type with a usable CPU, or NULL. */
static hwloc_obj_t first_used(const struct machine *machine, hwloc_obj_type_t type) {
    hwloc_obj_t object = NULL;
    while ((object = hwloc_get_next_obj_by_type(machine->topology, type, object)) != NULL) {
        if (hwloc_bitmap_intersects(object->cpuset, machine->usable))
            return object;
    }
    return NULL;
}

static json_t *caches(const struct machine *machine, json_int_t *line_bytes, hwloc_obj_type_t *last) {
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof cache_types / sizeof cache_types[0]; i++) {
        hwloc_obj_t cache = first_used(machine, cache_types[i]);
        if (cache == NULL)
            continue;
        *last = cache_types[i];
        json_t *level =
            json_pack("{s:i, s:I, s:i}", "level", (int)i + 1, "size_bytes", (json_int_t)cache->attr->cache.size,
                      "shared_by_cores", (int)cores_in(machine, cache->cpuset));
        if (cache->attr->cache.associativity > 0)
            json_object_set_new(level, "ways", json_integer(cache->attr->cache.associativity));
        if (cache->attr->cache.linesize > 0)
            *line_bytes = cache->attr->cache.linesize;
        json_array_append_new(list, level);
    }
    return list;
}

/* Whether the cores of a domain are none of several domains: more distant memory (CXL, persistent memory) is listed
 * with the cores of all near domains. */
static int is_near(hwloc_topology_t topology, hwloc_obj_t domain) {
    for (hwloc_obj_t other = NULL; (other = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, other)) != NULL;) {
        if (!hwloc_bitmap_iszero(other->cpuset) && !hwloc_bitmap_isequal(other->cpuset, domain->cpuset) &&
            hwloc_bitmap_isincluded(other->cpuset, domain->cpuset))
            return 0;
    }
    return !hwloc_bitmap_iszero(domain->cpuset);
}

/* Whether a domain has cores of its own: the second memory of the same cores (flat HBM) has none. */
static int has_cores(hwloc_topology_t topology, hwloc_obj_t domain) {
    for (hwloc_obj_t other = domain; (other = other->prev_cousin) != NULL;) {
        if (hwloc_bitmap_isequal(other->cpuset, domain->cpuset))
            return 0;
    }
    return is_near(topology, domain);
}

/* The first usable hardware thread of every core, grouped by socket, last-level cache or NUMA domain with cores of its
 * own; no empty groups.
 * Stores their numbers in `numbers`, if not NULL: like LIKWID, hwloc also counts the empty ones. */
static json_t *cpus_by(const struct machine *machine, hwloc_obj_type_t type, json_t *numbers) {
    json_t *parts = json_array();
    hwloc_bitmap_t threads = hwloc_bitmap_alloc();
    for (hwloc_obj_t part = NULL; (part = hwloc_get_next_obj_by_type(machine->topology, type, part)) != NULL;) {
        if (type == HWLOC_OBJ_NUMANODE && !has_cores(machine->topology, part))
            continue;
        json_t *cpus = json_array();
        hwloc_obj_t core = NULL;
        while ((core = hwloc_get_next_obj_inside_cpuset_by_type(machine->topology, part->cpuset, HWLOC_OBJ_CORE,
                                                                core)) != NULL) {
            hwloc_bitmap_and(threads, core->cpuset, machine->usable);
            if (!hwloc_bitmap_iszero(threads))
                json_array_append_new(cpus, json_integer(hwloc_bitmap_first(threads)));
        }
        if (json_array_size(cpus) > 0) {
            json_array_append(parts, cpus);
            json_array_append_new(numbers, json_integer(part->logical_index));
        }
        json_decref(cpus);
    }
    hwloc_bitmap_free(threads);
    return parts;
}

/* "4-7,12" */
static json_t *set_text(hwloc_const_bitmap_t set) {
    char *text = NULL;
    json_t *value = hwloc_bitmap_list_asprintf(&text, set) >= 0 ? json_string(text) : json_null();
    free(text);
    return value;
}

/* Keeps only the CPUs of `kept` and notes why the others are left out. */
static void keep(struct machine *machine, hwloc_const_bitmap_t kept, const char *why) {
    char *text = NULL;
    hwloc_bitmap_t lost = hwloc_bitmap_alloc();
    hwloc_bitmap_andnot(lost, machine->usable, kept);
    if (!hwloc_bitmap_iszero(lost) && hwloc_bitmap_list_asprintf(&text, lost) >= 0)
        json_array_append_new(machine->left_out, json_sprintf("CPU %s: %s", text, why));
    hwloc_bitmap_and(machine->usable, machine->usable, kept);
    free(text);
    hwloc_bitmap_free(lost);
}

/* CPUs that this process, or the one that wrote the XML file, may use. */
static void keep_allowed(struct machine *machine, int is_here) {
    static const char why[] = "outside of the cpuset";
    keep(machine, hwloc_topology_get_allowed_cpuset(machine->topology), why);
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (is_here && hwloc_get_cpubind(machine->topology, bound, HWLOC_CPUBIND_THREAD) == 0)
        keep(machine, bound, why);
    hwloc_bitmap_free(bound);
}

static int numa_domains(hwloc_topology_t topology) {
    int count = 0;
    for (hwloc_obj_t domain = NULL;
         (domain = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, domain)) != NULL;)
        count += has_cores(topology, domain);
    return count;
}

/* Whether the node has a second memory of the same cores (flat HBM). */
static int has_hbm(hwloc_topology_t topology) {
    hwloc_obj_t domain = NULL;
    while ((domain = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, domain)) != NULL) {
        if (is_near(topology, domain) && !has_cores(topology, domain))
            return 1;
    }
    return 0;
}

/* CPUs with memory nearby that this process may use. Data of the others are elsewhere, where no box of theirs counts.
 */
static void keep_with_memory(struct machine *machine) {
    hwloc_const_nodeset_t allowed = hwloc_topology_get_allowed_nodeset(machine->topology);
    hwloc_bitmap_t kept = hwloc_bitmap_alloc();
    for (hwloc_obj_t domain = NULL;
         (domain = hwloc_get_next_obj_by_type(machine->topology, HWLOC_OBJ_NUMANODE, domain)) != NULL;) {
        if (domain->attr->numanode.local_memory > 0 && hwloc_bitmap_isset(allowed, domain->os_index) &&
            is_near(machine->topology, domain))
            hwloc_bitmap_or(kept, kept, domain->cpuset);
    }
    if (!hwloc_bitmap_iszero(kept)) /* else the topology has no sizes of memory */
        keep(machine, kept, "their NUMA domain has no memory that may be used");
    hwloc_bitmap_free(kept);
}

/* hwloc's type of the cores of a kind of CPUs, or NULL. Kinds also differ in the clock, with one type of cores. */
static const char *core_type(hwloc_topology_t topology, unsigned kind, hwloc_bitmap_t cpus) {
    unsigned count = 0;
    struct hwloc_info_s *infos = NULL;
    if (hwloc_cpukinds_get_info(topology, kind, cpus, NULL, &count, &infos, 0) != 0)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(infos[i].name, "CoreType") == 0)
            return infos[i].value;
    }
    return NULL;
}

/* Of hybrid processors one type is measured, the fastest that is usable: caches and counters differ between types. */
static void keep_one_type(struct machine *machine) {
    int kinds = hwloc_cpukinds_get_nr(machine->topology, 0);
    const char *best = NULL;
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc(), same = hwloc_bitmap_alloc();
    for (int kind = kinds - 1; kind >= 0; kind--) { /* hwloc sorts them by efficiency */
        const char *type = core_type(machine->topology, (unsigned)kind, cpus);
        if (type == NULL || !hwloc_bitmap_intersects(cpus, machine->usable))
            continue;
        best = best != NULL ? best : type;
        if (strcmp(type, best) == 0)
            hwloc_bitmap_or(same, same, cpus);
    }
    if (best != NULL) {
        char why[128];
        snprintf(why, sizeof why, "cores of another type than %.64s", best);
        keep(machine, same, why);
    }
    hwloc_bitmap_free(same);
    hwloc_bitmap_free(cpus);
}

static int find_usable(struct machine *machine, int is_here, struct error *error) {
    machine->usable = hwloc_bitmap_dup(hwloc_topology_get_complete_cpuset(machine->topology));
    machine->left_out = json_array();
    keep(machine, hwloc_topology_get_topology_cpuset(machine->topology), "offline");
    keep_allowed(machine, is_here);
    keep_with_memory(machine);
    keep_one_type(machine);
    if (!hwloc_bitmap_iszero(machine->usable))
        return 0;
    return error_set(error, "no CPU of this machine may be used; see lstopo and taskset -cp $$");
}

/* The usable hardware threads of every core that has some. */
static json_t *siblings(const struct machine *machine) {
    json_t *cores = json_array();
    for (hwloc_obj_t core = NULL;
         (core = hwloc_get_next_obj_by_type(machine->topology, HWLOC_OBJ_CORE, core)) != NULL;) {
        json_t *threads = json_array();
        unsigned cpu;
        hwloc_bitmap_foreach_begin(cpu, core->cpuset) if (hwloc_bitmap_isset(machine->usable, cpu))
            json_array_append_new(threads, json_integer(cpu));
        hwloc_bitmap_foreach_end();
        if (json_array_size(threads) > 0)
            json_array_append(cores, threads);
        json_decref(threads);
    }
    return cores;
}

/* The PCI devices, each place and kind once. */
static json_t *pci_devices(hwloc_topology_t topology) {
    json_t *seen = json_object(), *list = json_array();
    for (hwloc_obj_t object = NULL; (object = hwloc_get_next_pcidev(topology, object)) != NULL;) {
        const struct hwloc_pcidev_attr_s *pci = &object->attr->pcidev;
        char text[32];
        snprintf(text, sizeof text, "%02x.%x %04x:%04x", pci->dev, pci->func, pci->vendor_id, pci->device_id);
        if (json_object_get(seen, text) == NULL)
            json_array_append_new(list, json_string(text));
        json_object_set_new(seen, text, json_true());
    }
    json_decref(seen);
    return list;
}

static json_t *describe(const struct machine *machine, struct error *error) {
    hwloc_topology_t topology = machine->topology;
    hwloc_obj_t socket = first_used(machine, HWLOC_OBJ_PACKAGE);
    if (socket == NULL || first_used(machine, HWLOC_OBJ_CORE) == NULL) {
        error_set(error, "hwloc sees no sockets or no cores here; is /sys mounted? (try lstopo)");
        return NULL;
    }
    json_int_t line_bytes = 0;
    hwloc_obj_type_t last = HWLOC_OBJ_PACKAGE;
    json_t *cache_list = caches(machine, &line_bytes, &last);
    if (json_array_size(cache_list) == 0 || line_bytes == 0) {
        json_decref(cache_list);
        error_set(error, "hwloc sees no caches here; sizes of the data sets follow from them (try lstopo)");
        return NULL;
    }
    json_t *socket_numbers = json_array(), *domain_numbers = json_array();
    json_t *node = json_pack("{s:i, s:i, s:i, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:O, s:o}",
                             "sockets", hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE), "cores_per_socket",
                             most_in(machine, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_CORE), "cores",
                             hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), "smt",
                             most_in(machine, HWLOC_OBJ_CORE, HWLOC_OBJ_PU), "line_bytes", line_bytes, "caches",
                             cache_list, "cpus_by_socket", cpus_by(machine, HWLOC_OBJ_PACKAGE, socket_numbers),
                             "socket_numbers", socket_numbers, "cpus_by_domain", cpus_by(machine, last, domain_numbers),
                             "domain_numbers", domain_numbers, "cpus_by_numa",
                             cpus_by(machine, HWLOC_OBJ_NUMANODE, NULL), "siblings", siblings(machine), "numa_domains",
                             numa_domains(topology), "domains", hwloc_get_nbobjs_by_type(topology, last), "usable",
                             set_text(machine->usable), "left_out", machine->left_out, "pci", pci_devices(topology));
    const char *model = hwloc_obj_get_info_by_name(socket, "CPUModel");
    if (model != NULL)
        json_object_set_new(node, "cpu", json_string(model));
    if (has_hbm(topology))
        json_object_set_new(node, "hbm", json_true());
    return node;
}

json_t *topology_read(const char *xml, struct error *error) {
    struct machine machine = {0};
    if ((xml != NULL ? hwloc_start(&machine.topology) : hwloc_topology_init(&machine.topology)) != 0) {
        error_set(error, "hwloc does not start; is it installed whole?");
        return NULL;
    }
    json_t *node = NULL;
    const char *set = getenv("HWLOC_XMLFILE"); /* hwloc describes this machine if it cannot read that file */
    const char *file = xml != NULL ? xml : set != NULL && set[0] != '\0' ? set : NULL;
    hwloc_topology_set_all_types_filter(machine.topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_flags(machine.topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (file != NULL && hwloc_topology_set_xml(machine.topology, file) != 0)
        error_set(error, "%s%s: hwloc cannot read this topology", xml == NULL ? "HWLOC_XMLFILE=" : "", file);
    else if (hwloc_topology_load(machine.topology) != 0)
        error_set(error, "%s: hwloc cannot load the topology", file != NULL ? file : "this machine");
    else if (find_usable(&machine, xml == NULL, error) == 0)
        node = describe(&machine, error);
    hwloc_bitmap_free(machine.usable);
    json_decref(machine.left_out);
    hwloc_topology_destroy(machine.topology);
    return node;
}
