/* machine.c - the node's files in /proc and /sys, in Linux' formats (Documentation/ABI/stable/
 * sysfs-devices-system-cpu, sysfs-devices-node; Documentation/admin-guide/cputopology.rst; proc(5)).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "features.h"
#include "topology.h"
#include "tree.h"
#include "vnode/identity.h"
#include "vnode/sim/counts.h"

/* ---- sets of cores ---- */

/* In 32-bit words, highest first. */
static void write_mask(struct tree *tree, const char *path, struct core_range range) {
    uint64_t mask = (range.count < 64 ? (UINT64_C(1) << range.count) - 1 : ~UINT64_C(0)) << range.first;
    if (mask >> 32)
        tree_line(tree, path, "%" PRIx64 ",%08" PRIx64, mask >> 32, mask & UINT32_MAX);
    else
        tree_line(tree, path, "%" PRIx64, mask);
}

static void write_list(struct tree *tree, const char *path, struct core_range range) {
    if (range.count == 1)
        tree_line(tree, path, "%u", range.first);
    else
        tree_line(tree, path, "%u-%u", range.first, range.first + range.count - 1);
}

/* Writes FOLDER/NAME as a mask, FOLDER/LIST as a list. */
static void write_set(struct tree *tree, const char *folder, const char *name, const char *list,
                      struct core_range range) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_mask(tree, path, range);
    snprintf(path, sizeof path, "%s/%s", folder, list);
    write_list(tree, path, range);
}

static void write_number(struct tree *tree, const char *folder, const char *name, uint64_t value) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tree_line(tree, path, "%" PRIu64, value);
}

/* ---- /sys/devices/system/cpu ---- */

#define CPU_FOLDER "sys/devices/system/cpu"
#define NODE_FOLDER "sys/devices/system/node"

static void write_topology(struct tree *tree, const struct sim_config *config, uint32_t core) {
    char folder[96];
    struct core_range socket = topology_socket(config, sim_socket_of(config, core)), self = {core, 1};
    snprintf(folder, sizeof folder, CPU_FOLDER "/cpu%u/topology", core);
    write_number(tree, folder, "physical_package_id", sim_socket_of(config, core));
    write_number(tree, folder, "die_id", 0);
    write_number(tree, folder, "core_id", identity_core_id(config, core));
    write_set(tree, folder, "core_cpus", "core_cpus_list", self);
    write_set(tree, folder, "thread_siblings", "thread_siblings_list", self);
    write_set(tree, folder, "die_cpus", "die_cpus_list", socket);
    write_set(tree, folder, "package_cpus", "package_cpus_list", socket);
    write_set(tree, folder, "core_siblings", "core_siblings_list", socket);
}

struct cache_row {
    const struct sim_cache_config *cache;
    uint64_t size;
    uint32_t level;
    const char *type;
    struct core_range shared; /* cores that share it */
};

static void write_cache(struct tree *tree, const struct sim_config *config, uint32_t core, uint32_t index,
                        const struct cache_row *row) {
    char folder[96], path[128];
    snprintf(folder, sizeof folder, CPU_FOLDER "/cpu%u/cache/index%u", core, index);
    write_number(tree, folder, "level", row->level);
    write_number(tree, folder, "id", identity_apic(config, row->shared.first));
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

static void write_caches(struct tree *tree, const struct sim_config *config, uint32_t core) {
    struct core_range self = {core, 1};
    const struct cache_row rows[] = {
        {&config->l1d, config->l1d.size, 1, "Data", self},
        {&config->l1i, config->l1i.size, 1, "Instruction", self},
        {&config->l2, config->l2.size, 2, "Unified", self},
        {&config->l3, topology_last_level(config), 3, "Unified", topology_domain(config, sim_domain_of(config, core))},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_cache(tree, config, core, i, &rows[i]);
}

static void write_cpus(struct tree *tree, const struct sim_config *config) {
    char path[128], target[128];
    struct core_range all = {0, sim_cores(config)};
    write_list(tree, CPU_FOLDER "/online", all);
    write_list(tree, CPU_FOLDER "/possible", all);
    write_list(tree, CPU_FOLDER "/present", all);
    tree_line(tree, CPU_FOLDER "/offline", "%s", "");
    tree_line(tree, CPU_FOLDER "/isolated", "%s", "");
    tree_line(tree, CPU_FOLDER "/kernel_max", "%u", SIM_CORES_MAX - 1);
    for (uint32_t core = 0; core < all.count; core++) {
        write_topology(tree, config, core);
        write_caches(tree, config, core);
        snprintf(path, sizeof path, CPU_FOLDER "/cpu%u/node%u", core, sim_numa_of(config, core));
        snprintf(target, sizeof target, "../../node/node%u", sim_numa_of(config, core));
        tree_link(tree, path, target);
        snprintf(path, sizeof path, "sys/bus/cpu/devices/cpu%u", core);
        snprintf(target, sizeof target, "../../../devices/system/cpu/cpu%u", core);
        tree_link(tree, path, target);
        if (core == 0)
            continue; /* the first core cannot be switched off */
        snprintf(path, sizeof path, CPU_FOLDER "/cpu%u/online", core);
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
    struct core_range cores = topology_numa(config, numa);
    snprintf(folder, sizeof folder, NODE_FOLDER "/node%u", numa);
    snprintf(path, sizeof path, "%s/cpulist", folder);
    write_list(tree, path, cores);
    snprintf(path, sizeof path, "%s/cpumap", folder);
    write_mask(tree, path, cores);
    snprintf(path, sizeof path, "%s/meminfo", folder);
    snprintf(prefix, sizeof prefix, "Node %u ", numa);
    write_memory_file(tree, path, prefix, desc->memory_bytes, 0);
    snprintf(path, sizeof path, "%s/distance", folder);
    FILE *file = tree_open(tree, path);
    for (uint32_t to = 0; file && to < sim_numas(config); to++)
        fprintf(file, "%d%c", topology_distance(config, numa, to), to + 1 < sim_numas(config) ? ' ' : '\n');
    tree_close(tree, file);
    for (uint32_t core = cores.first; core < cores.first + cores.count; core++) {
        snprintf(path, sizeof path, "%s/cpu%u", folder, core);
        snprintf(target, sizeof target, "../../cpu/cpu%u", core);
        tree_link(tree, path, target);
    }
    snprintf(path, sizeof path, "sys/bus/node/devices/node%u", numa);
    snprintf(target, sizeof target, "../../../devices/system/node/node%u", numa);
    tree_link(tree, path, target);
}

static void write_nodes(struct tree *tree, const struct node_desc *desc) {
    static const char *const lists[] = {"online", "possible", "has_cpu", "has_memory", "has_normal_memory"};
    char path[128];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        snprintf(path, sizeof path, NODE_FOLDER "/%s", lists[i]);
        write_list(tree, path, (struct core_range){0, sim_numas(&desc->config)});
    }
    for (uint32_t numa = 0; numa < sim_numas(&desc->config); numa++)
        write_node(tree, desc, numa);
    write_memory_file(tree, "proc/meminfo", "", desc->memory_bytes * sim_numas(&desc->config), 1);
    tree_line(tree, "sys/kernel/mm/transparent_hugepage/enabled", "%s", /* vnode/engine/pages.h */
              desc->config.large_page != 0 ? "always [madvise] never" : "always madvise [never]");
}

/* ---- /proc/cpuinfo ---- */

static void write_processor(FILE *file, const struct node_desc *desc, uint32_t core) {
    const struct sim_config *config = &desc->config;
    uint32_t features[IDENTITY_WORDS];
    features_of_node(desc, features);
    fprintf(file, "processor\t: %u\nvendor_id\t: %s\n", core, topology_vendor(desc->vendor));
    fprintf(file, "cpu family\t: %u\nmodel\t\t: %u\n", signature_family(desc->signature),
            signature_model(desc->signature));
    fprintf(file, "model name\t: %s\nstepping\t: %u\n", desc->cpu, signature_stepping(desc->signature));
    fprintf(file, "cpu MHz\t\t: %.3f\n", (double)config->clock_hz / 1e6);
    /* Linux shows L2 for AMD, the last level for Intel */
    fprintf(file, "cache size\t: %" PRIu64 " KB\n",
            (desc->vendor == IDENTITY_AMD ? config->l2.size : topology_last_level(config)) / 1024);
    fprintf(file, "physical id\t: %u\nsiblings\t: %u\n", sim_socket_of(config, core), config->cores_per_socket);
    fprintf(file, "core id\t\t: %u\ncpu cores\t: %u\n", identity_core_id(config, core), config->cores_per_socket);
    fprintf(file, "apicid\t\t: %u\ninitial apicid\t: %u\n", identity_apic(config, core), identity_apic(config, core));
    fprintf(file, "fpu\t\t: yes\nfpu_exception\t: yes\ncpuid level\t: %d\nwp\t\t: yes\nflags\t\t:", IDENTITY_LEAVES);
    features_write(desc, features, file);
    fprintf(file, "\nbugs\t\t:\nbogomips\t: %.2f\n", 2 * (double)config->clock_hz / 1e6);
    fprintf(file, "clflush size\t: %u\ncache_alignment\t: %u\n", config->line, config->line);
    fprintf(file, "address sizes\t: %u bits physical, %d bits virtual\npower management:\n\n", desc->physical_bits,
            IDENTITY_VIRTUAL_BITS);
}

static void write_cpuinfo(struct tree *tree, const struct node_desc *desc) {
    FILE *file = tree_open(tree, "proc/cpuinfo");
    for (uint32_t core = 0; file && core < sim_cores(&desc->config); core++)
        write_processor(file, desc, core);
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
