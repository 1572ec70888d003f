/* machine.c - the node's files in /proc and /sys, in Linux' formats (Documentation/ABI/stable/
 * sysfs-devices-system-cpu, sysfs-devices-node; Documentation/admin-guide/cputopology.rst; proc(5)).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "features.h"
#include "topology.h"
#include "tree.h"
#include "vnode/identity.h"
#include "vnode/sim/counts.h"

/* ---- sets of hardware threads (Linux' CPUs), a bit for each ---- */

/* In 32-bit words, highest first. */
static void write_mask(struct tree *tree, const char *path, uint64_t mask) {
    if (mask >> 32)
        tree_line(tree, path, "%" PRIx64 ",%08" PRIx64, mask >> 32, mask & UINT32_MAX);
    else
        tree_line(tree, path, "%" PRIx64, mask);
}

/* "0-3,8" */
static void write_list(struct tree *tree, const char *path, uint64_t mask) {
    char text[256] = "";
    for (uint64_t left = mask; left != 0;) {
        int first = __builtin_ctzll(left), end = ~(left >> first) ? first + __builtin_ctzll(~(left >> first)) : 64;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, end - first > 1 ? "%s%d-%d" : "%s%d", used > 0 ? "," : "", first,
                 end - 1);
        left = end < 64 ? left >> end << end : 0;
    }
    tree_line(tree, path, "%s", text);
}

/* Writes FOLDER/NAME as a mask, FOLDER/LIST as a list. */
static void write_set(struct tree *tree, const char *folder, const char *name, const char *list, uint64_t mask) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_mask(tree, path, mask);
    snprintf(path, sizeof path, "%s/%s", folder, list);
    write_list(tree, path, mask);
}

static void write_number(struct tree *tree, const char *folder, const char *name, uint64_t value) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tree_line(tree, path, "%" PRIu64, value);
}

/* ---- /sys/devices/system/cpu ---- */

#define CPU_FOLDER "sys/devices/system/cpu"
#define NODE_FOLDER "sys/devices/system/node"

static uint64_t siblings_of(const struct sim_config *config, uint32_t cpu) {
    return topology_cpus(config, (struct core_range){sim_core_of(config, cpu), 1});
}

static void write_topology(struct tree *tree, const struct sim_config *config, uint32_t cpu) {
    char folder[96];
    uint64_t socket = topology_cpus(config, topology_socket(config, sim_socket_of(config, cpu)));
    uint64_t siblings = siblings_of(config, cpu);
    snprintf(folder, sizeof folder, CPU_FOLDER "/cpu%u/topology", cpu);
    write_number(tree, folder, "physical_package_id", sim_socket_of(config, cpu));
    write_number(tree, folder, "die_id", 0);
    write_number(tree, folder, "core_id", identity_core_id(config, cpu));
    write_set(tree, folder, "core_cpus", "core_cpus_list", siblings);
    write_set(tree, folder, "thread_siblings", "thread_siblings_list", siblings);
    write_set(tree, folder, "die_cpus", "die_cpus_list", socket);
    write_set(tree, folder, "package_cpus", "package_cpus_list", socket);
    write_set(tree, folder, "core_siblings", "core_siblings_list", socket);
}

struct cache_row {
    const struct sim_cache_config *cache;
    uint64_t size;
    uint32_t level;
    const char *type;
    uint64_t shared; /* hardware threads that share it */
};

static void write_cache(struct tree *tree, const struct sim_config *config, uint32_t cpu, uint32_t index,
                        const struct cache_row *row) {
    char folder[96], path[128];
    snprintf(folder, sizeof folder, CPU_FOLDER "/cpu%u/cache/index%u", cpu, index);
    write_number(tree, folder, "level", row->level);
    write_number(tree, folder, "id", identity_apic(config, (uint32_t)__builtin_ctzll(row->shared)));
    write_number(tree, folder, "coherency_line_size", config->line);
    write_number(tree, folder, "ways_of_associativity", row->cache->ways);
    write_number(tree, folder, "number_of_sets", row->size / row->cache->ways / config->line);
    write_number(tree, folder, "physical_line_partition", 1);
    write_set(tree, folder, "shared_cpu_map", "shared_cpu_list", row->shared);
    snprintf(path, sizeof path, "%s/type", folder);
    tree_line(tree, path, "%s", row->type);
    snprintf(path, sizeof path, "%s/size", folder);
    tree_line(tree, path, "%" PRIu64 "K", row->size / 1024);
}

static void write_caches(struct tree *tree, const struct sim_config *config, uint32_t cpu) {
    uint64_t siblings = siblings_of(config, cpu);
    uint64_t domain = topology_cpus(config, topology_domain(config, sim_domain_of(config, cpu)));
    const struct cache_row rows[] = {
        {&config->l1d, config->l1d.size, 1, "Data", siblings},
        {&config->l1i, config->l1i.size, 1, "Instruction", siblings},
        {&config->l2, config->l2.size, 2, "Unified", siblings},
        {&config->l3, topology_last_level(config), 3, "Unified", domain},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_cache(tree, config, cpu, i, &rows[i]);
}

static void write_cpus(struct tree *tree, const struct sim_config *config) {
    char path[128], target[128];
    uint64_t all = topology_cpus(config, (struct core_range){0, sim_cores(config)});
    write_list(tree, CPU_FOLDER "/online", all);
    write_list(tree, CPU_FOLDER "/possible", all);
    write_list(tree, CPU_FOLDER "/present", all);
    tree_line(tree, CPU_FOLDER "/offline", "%s", "");
    tree_line(tree, CPU_FOLDER "/isolated", "%s", "");
    tree_line(tree, CPU_FOLDER "/kernel_max", "%u", SIM_CORES_MAX - 1);
    write_number(tree, CPU_FOLDER "/smt", "active", sim_threads(config) > 1);
    tree_line(tree, CPU_FOLDER "/smt/control", "%s", sim_threads(config) > 1 ? "on" : "notsupported");
    for (uint32_t cpu = 0; cpu < sim_cpus(config); cpu++) {
        write_topology(tree, config, cpu);
        write_caches(tree, config, cpu);
        snprintf(path, sizeof path, CPU_FOLDER "/cpu%u/node%u", cpu, sim_numa_of(config, cpu));
        snprintf(target, sizeof target, "../../node/node%u", sim_numa_of(config, cpu));
        tree_link(tree, path, target);
        snprintf(path, sizeof path, "sys/bus/cpu/devices/cpu%u", cpu);
        snprintf(target, sizeof target, "../../../devices/system/cpu/cpu%u", cpu);
        tree_link(tree, path, target);
        if (cpu == 0)
            continue; /* the first one cannot be switched off */
        snprintf(path, sizeof path, CPU_FOLDER "/cpu%u/online", cpu);
        tree_line(tree, path, "1");
    }
}

/* ---- /sys/devices/system/node, /proc/meminfo, /sys/kernel/mm ---- */

/* The node does not track memory use: all of it is free. */
static void write_memory(FILE *file, const char *prefix, uint64_t kilobytes, int available) {
    fprintf(file, "%sMemTotal:       %8" PRIu64 " kB\n", prefix, kilobytes);
    fprintf(file, "%sMemFree:        %8" PRIu64 " kB\n", prefix, kilobytes);
    if (available)
        fprintf(file, "%sMemAvailable:   %8" PRIu64 " kB\n", prefix, kilobytes);
    else
        fprintf(file, "%sMemUsed:        %8d kB\n", prefix, 0);
    static const char *const unused[] = {"Buffers:  ", "Cached:   ", "SwapCached:", "SwapTotal:", "SwapFree: "};
    for (size_t i = 0; available && i < sizeof unused / sizeof *unused; i++)
        fprintf(file, "%s      %8d kB\n", unused[i], 0);
}

static void write_memory_file(struct tree *tree, const char *path, const char *prefix, uint64_t bytes, int available) {
    FILE *file = tree_open(tree, path);
    if (file)
        write_memory(file, prefix, bytes / 1024, available);
    tree_close(tree, file);
}

static void write_node(struct tree *tree, const struct node_desc *desc, uint32_t numa) {
    char folder[64], path[128], prefix[32], target[64];
    const struct sim_config *config = &desc->config;
    uint64_t cpus = numa < sim_numas(config) ? topology_cpus(config, topology_numa(config, numa)) : 0;
    snprintf(folder, sizeof folder, NODE_FOLDER "/node%u", numa);
    snprintf(path, sizeof path, "%s/cpulist", folder);
    write_list(tree, path, cpus);
    snprintf(path, sizeof path, "%s/cpumap", folder);
    write_mask(tree, path, cpus);
    snprintf(path, sizeof path, "%s/meminfo", folder);
    snprintf(prefix, sizeof prefix, "Node %u ", numa);
    write_memory_file(tree, path, prefix, topology_memory(desc, numa), 0);
    snprintf(path, sizeof path, "%s/distance", folder);
    FILE *file = tree_open(tree, path);
    for (uint32_t to = 0; file && to < sim_numa_nodes(config); to++)
        fprintf(file, "%d%c", topology_distance(config, numa, to), to + 1 < sim_numa_nodes(config) ? ' ' : '\n');
    tree_close(tree, file);
    for (uint32_t cpu = 0; cpu < sim_cpus(config); cpu++) {
        if (!(cpus >> cpu & 1))
            continue;
        snprintf(path, sizeof path, "%s/cpu%u", folder, cpu);
        snprintf(target, sizeof target, "../../cpu/cpu%u", cpu);
        tree_link(tree, path, target);
    }
    snprintf(path, sizeof path, "sys/bus/node/devices/node%u", numa);
    snprintf(target, sizeof target, "../../../devices/system/node/node%u", numa);
    tree_link(tree, path, target);
}

static void write_nodes(struct tree *tree, const struct node_desc *desc) {
    static const char *const lists[] = {"online", "possible", "has_memory", "has_normal_memory"};
    char path[128];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        snprintf(path, sizeof path, NODE_FOLDER "/%s", lists[i]);
        uint32_t nodes = strstr(lists[i], "memory") ? sim_memories(&desc->config) : sim_numa_nodes(&desc->config);
        write_list(tree, path, (UINT64_C(1) << nodes) - 1);
    }
    write_list(tree, NODE_FOLDER "/has_cpu", (UINT64_C(1) << sim_numas(&desc->config)) - 1);
    for (uint32_t numa = 0; numa < sim_numa_nodes(&desc->config); numa++)
        write_node(tree, desc, numa);
    write_memory_file(tree, "proc/meminfo", "", desc->memory_bytes * sim_memories(&desc->config), 1);
    tree_line(tree, "sys/kernel/mm/transparent_hugepage/enabled", "%s", /* vnode/engine/pages.h */
              desc->config.large_page != 0 ? "always [madvise] never" : "always madvise [never]");
}

/* ---- /proc/cpuinfo ---- */

static void write_processor(FILE *file, const struct node_desc *desc, uint32_t cpu) {
    const struct sim_config *config = &desc->config;
    uint32_t features[IDENTITY_WORDS];
    features_of_node(desc, features);
    fprintf(file, "processor\t: %u\nvendor_id\t: %s\n", cpu, topology_vendor(desc->vendor));
    fprintf(file, "cpu family\t: %u\nmodel\t\t: %u\n", signature_family(desc->signature),
            signature_model(desc->signature));
    fprintf(file, "model name\t: %s\nstepping\t: %u\n", desc->cpu, signature_stepping(desc->signature));
    fprintf(file, "cpu MHz\t\t: %.3f\n", (double)config->clock_hz / 1e6);
    /* Linux shows L2 for AMD, the last level for Intel */
    fprintf(file, "cache size\t: %" PRIu64 " KB\n",
            (desc->vendor == IDENTITY_AMD ? config->l2.size : topology_last_level(config)) / 1024);
    fprintf(file, "physical id\t: %u\nsiblings\t: %u\n", sim_socket_of(config, cpu),
            config->cores_per_socket * sim_threads(config));
    fprintf(file, "core id\t\t: %u\ncpu cores\t: %u\n", identity_core_id(config, cpu), config->cores_per_socket);
    fprintf(file, "apicid\t\t: %u\ninitial apicid\t: %u\n", identity_apic(config, cpu), identity_apic(config, cpu));
    fprintf(file, "fpu\t\t: yes\nfpu_exception\t: yes\ncpuid level\t: %d\nwp\t\t: yes\nflags\t\t:", IDENTITY_LEAVES);
    features_write(desc, features, file);
    fprintf(file, "\nbugs\t\t:\nbogomips\t: %.2f\n", 2 * (double)config->clock_hz / 1e6);
    fprintf(file, "clflush size\t: %u\ncache_alignment\t: %u\n", config->line, config->line);
    fprintf(file, "address sizes\t: %u bits physical, %d bits virtual\npower management:\n\n", desc->physical_bits,
            IDENTITY_VIRTUAL_BITS);
}

static void write_cpuinfo(struct tree *tree, const struct node_desc *desc) {
    FILE *file = tree_open(tree, "proc/cpuinfo");
    for (uint32_t cpu = 0; file && cpu < sim_cpus(&desc->config); cpu++)
        write_processor(file, desc, cpu);
    tree_close(tree, file);
}

int machine_write(const struct node_desc *desc, const char *folder) {
    struct tree tree = {open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0};
    if (tree.root < 0)
        return -1;
    write_cpuinfo(&tree, desc);
    write_cpus(&tree, &desc->config);
    write_nodes(&tree, desc);
    close(tree.root);
    errno = tree.error;
    return tree.error ? -1 : 0;
}
