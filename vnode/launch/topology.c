/* topology.c - a node's topology as the topology file of LIKWID up to 5.3 (later ones: LIKWID_TOPO_FILE).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology.h"

#include <stdio.h>

#include "vnode/identity.h"

/* The performance monitoring of a Haswell without hyper-threads (CPUID leaf 0xA). */
enum { PERF_VERSION = 3, PERF_COUNTERS = 8, PERF_WIDTH = 48, PERF_FIXED = 3 };
/* The instruction sets that the simulated processor has, as names and as LIKWID's bits (enum FeatureBit of likwid.h).
 */
static const char features[] = "FP MMX SSE SSE2 RDTSCP SSSE3 FMA SSE4.1 SSE4.2 AVX AVX2 SSE3 ";
enum { FEATURE_FLAGS = 0xee04f };

unsigned signature_family(uint32_t signature) {
    unsigned family = signature >> 8 & 0xf;
    return family == 0xf ? family + (signature >> 20 & 0xff) : family;
}

unsigned signature_model(uint32_t signature) {
    return (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
}

unsigned signature_stepping(uint32_t signature) {
    return signature & 0xf;
}

int topology_distance(uint32_t from, uint32_t to) {
    return from == to ? 10 : 21;
}

static void write_cpu(FILE *file, const struct node_desc *desc) {
    const char *p = "cpuid_info";
    fprintf(file, "%s family = %u\n%s model = %u\n%s stepping = %u\n", p, signature_family(desc->signature), p,
            signature_model(desc->signature), p, signature_stepping(desc->signature));
    fprintf(file, "%s osname = %s\n%s features = %s\n%s featureFlags = %u\n", p, desc->cpu, p, features, p,
            FEATURE_FLAGS);
    fprintf(file, "%s clock = %llu\n%s turbo = 0\n%s isIntel = 1\n%s vendor = 0\n%s part = 0\n", p,
            (unsigned long long)desc->config.clock_hz, p, p, p, p);
    fprintf(file, "%s architecture = x86_64\n%s supportUncore = 1\n%s supportClientmem = 0\n", p, p, p);
    fprintf(file, "%s perf_version = %d\n%s perf_num_ctr = %d\n%s perf_width_ctr = %d\n%s perf_num_fixed_ctr = %d\n", p,
            PERF_VERSION, p, PERF_COUNTERS, p, PERF_WIDTH, p, PERF_FIXED);
}

static void write_cache(FILE *file, const struct node_desc *desc, int level, const struct sim_cache_config *cache,
                        uint64_t slices) {
    uint64_t size = cache->size * slices;
    fprintf(file, "cpuid_topology cacheLevels %d type = %s\n", level, level == 1 ? "DATACACHE" : "UNIFIEDCACHE");
    fprintf(file, "cpuid_topology cacheLevels %d associativity = %u\n", level, cache->ways);
    fprintf(file, "cpuid_topology cacheLevels %d sets = %llu\n", level,
            (unsigned long long)(size / cache->ways / desc->config.line));
    fprintf(file, "cpuid_topology cacheLevels %d lineSize = %u\n", level, desc->config.line);
    fprintf(file, "cpuid_topology cacheLevels %d size = %llu\n", level, (unsigned long long)size);
    fprintf(file, "cpuid_topology cacheLevels %d threads = %llu\n", level, (unsigned long long)slices);
    fprintf(file, "cpuid_topology cacheLevels %d inclusive = %d\n", level, level == 3);
}

static void write_threads(FILE *file, const struct sim_config *config) {
    for (uint32_t i = 0; i < config->sockets * config->cores_per_socket; i++) {
        fprintf(file, "cpuid_topology threadPool %u threadId = 0\n", i);
        fprintf(file, "cpuid_topology threadPool %u coreId = %u\n", i, i);
        fprintf(file, "cpuid_topology threadPool %u packageId = %u\n", i, i / config->cores_per_socket);
        fprintf(file, "cpuid_topology threadPool %u dieId = 0\n", i);
        fprintf(file, "cpuid_topology threadPool %u apicId = %u\n", i, identity_apic(config, i));
    }
}

static void write_memory(FILE *file, const struct node_desc *desc) {
    const struct sim_config *config = &desc->config;
    unsigned long long kilobytes = desc->memory_bytes / 1024;
    for (uint32_t s = 0; s < config->sockets; s++) {
        fprintf(file, "numa_info nodes %u id = %u\n", s + 1, s);
        fprintf(file, "numa_info nodes %u numberOfProcessors = %u\n", s + 1, config->cores_per_socket);
        fprintf(file, "numa_info nodes %u totalMemory = %llu\n", s + 1, kilobytes);
        fprintf(file, "numa_info nodes %u freeMemory = %llu\n", s + 1, kilobytes);
        fprintf(file, "numa_info nodes %u numberOfDistances = %u\n", s + 1, config->sockets);
        for (uint32_t i = 0; i < config->cores_per_socket; i++)
            fprintf(file, "numa_info nodes %u processors %u = %u\n", s + 1, i + 1, s * config->cores_per_socket + i);
        for (uint32_t i = 0; i < config->sockets; i++)
            fprintf(file, "numa_info nodes %u distances %u = %d\n", s + 1, i, topology_distance(s, i));
    }
}

int topology_write_likwid(const struct node_desc *desc, const char *path) {
    const struct sim_config *config = &desc->config;
    FILE *file = fopen(path, "we");
    if (!file)
        return -1;
    write_cpu(file, desc);
    fprintf(file, "cpuid_topology numHWThreads = %u\n", config->sockets * config->cores_per_socket);
    fprintf(file, "cpuid_topology numSockets = %u\ncpuid_topology numDies = 0\n", config->sockets);
    fprintf(file, "cpuid_topology numCoresPerSocket = %u\n", config->cores_per_socket);
    fprintf(file, "cpuid_topology numThreadsPerCore = 1\ncpuid_topology numCacheLevels = 3\n");
    write_cache(file, desc, 1, &config->l1d, 1);
    write_cache(file, desc, 2, &config->l2, 1);
    write_cache(file, desc, 3, &config->l3, config->cores_per_socket);
    write_threads(file, config);
    fprintf(file, "numa_info numberOfNodes = %u\n", config->sockets);
    write_memory(file, desc);
    return fclose(file) == 0 ? 0 : -1;
}
