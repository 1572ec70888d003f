/* topology.c - writes LIKWID's topology file, in the format of versions up to 5.3 (later ones: LIKWID_TOPO_FILE).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology.h"

#include <stdio.h>

#include "features.h"

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

const char *topology_vendor(uint32_t vendor) {
    return vendor == IDENTITY_AMD ? "AuthenticAMD" : "GenuineIntel";
}

/* ---- parts of the node ---- */

/* The cores of one of a socket's `parts`; `number` counts over all sockets. */
static struct core_range part(const struct sim_config *config, uint32_t parts, uint32_t number) {
    uint32_t each = sim_part(config->cores_per_socket, parts), within = number % parts * each;
    uint32_t rest = config->cores_per_socket - within;
    return (struct core_range){number / parts * config->cores_per_socket + within, rest < each ? rest : each};
}

struct core_range topology_socket(const struct sim_config *config, uint32_t socket) {
    return part(config, 1, socket);
}

struct core_range topology_domain(const struct sim_config *config, uint32_t domain) {
    return part(config, config->domains_per_socket, domain);
}

struct core_range topology_numa(const struct sim_config *config, uint32_t numa) {
    return part(config, config->numa_per_socket, numa);
}

uint64_t topology_cpus(const struct sim_config *config, struct core_range cores) {
    uint64_t mask = 0;
    for (uint32_t cpu = 0; cpu < sim_cpus(config); cpu++)
        if (sim_core_of(config, cpu) - cores.first < cores.count)
            mask |= UINT64_C(1) << cpu;
    return mask;
}

uint64_t topology_last_level(const struct sim_config *config) {
    return config->l3.size * config->slices;
}

uint64_t topology_memory(const struct node_desc *desc, uint32_t numa) {
    return numa < sim_memories(&desc->config) ? desc->memory_bytes : 0;
}

int topology_distance(const struct sim_config *config, uint32_t from, uint32_t to) {
    enum { OWN = 10, SAME_SOCKET = 12, OWN_HBM = 13, OTHER_SOCKET = 21, TO_HBM = 2 };
    uint32_t near = sim_numa_of_memory(config, from), far = sim_numa_of_memory(config, to), numas = sim_numas(config);
    if (near == far)
        return from == to ? OWN : OWN_HBM;
    return (near / config->numa_per_socket == far / config->numa_per_socket ? SAME_SOCKET : OTHER_SOCKET) +
           (from >= numas || to >= numas ? TO_HBM : 0);
}

/* ---- LIKWID's file ---- */

/* LIKWID's names and numbers (enum FeatureBit of likwid.h) of the features in its file. FP has no CPUID bit in
 * LIKWID, and its number is beyond the word. */
static const struct {
    const char *name;
    uint32_t flag;
    enum identity_word word;
    unsigned bit;
} features[] = {
    {"FP", 0, IDENTITY_1_EDX, 0},
    {"MMX", 1 << 1, IDENTITY_1_EDX, 23},
    {"SSE", 1 << 2, IDENTITY_1_EDX, 25},
    {"SSE2", 1 << 3, IDENTITY_1_EDX, 26},
    {"RDTSCP", 1 << 6, IDENTITY_EXTENDED_1_EDX, 27},
    {"SSSE3", 1 << 13, IDENTITY_1_ECX, 9},
    {"FMA", 1 << 18, IDENTITY_1_ECX, 12},
    {"SSE4.1", 1 << 14, IDENTITY_1_ECX, 19},
    {"SSE4.2", 1 << 15, IDENTITY_1_ECX, 20},
    {"AVX", 1 << 17, IDENTITY_1_ECX, 28},
    {"AVX2", 1 << 19, IDENTITY_7_EBX, 5},
    {"SSE3", 1 << 0, IDENTITY_1_ECX, 0},
};

static void write_features(FILE *file, const struct node_desc *desc) {
    uint32_t words[IDENTITY_WORDS], flags = 0;
    features_of_node(desc, words);
    fprintf(file, "cpuid_info features = ");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (words[features[i].word] >> features[i].bit & 1) {
            flags |= features[i].flag;
            fprintf(file, "%s ", features[i].name);
        }
    fprintf(file, "\ncpuid_info featureFlags = %u\n", flags);
}

/* LIKWID derives from family and model whether it can count outside of the cores. */
static void write_cpu(FILE *file, const struct node_desc *desc) {
    const char *p = "cpuid_info";
    fprintf(file, "%s family = %u\n%s model = %u\n%s stepping = %u\n", p, signature_family(desc->signature), p,
            signature_model(desc->signature), p, signature_stepping(desc->signature));
    fprintf(file, "%s osname = %s\n", p, desc->cpu);
    write_features(file, desc);
    fprintf(file, "%s clock = %llu\n%s turbo = 0\n%s isIntel = %d\n%s vendor = 0\n%s part = 0\n", p,
            (unsigned long long)desc->config.clock_hz, p, p, desc->vendor == IDENTITY_INTEL, p, p);
    fprintf(file, "%s architecture = x86_64\n%s supportUncore = 0\n%s supportClientmem = 0\n", p, p, p);
    fprintf(file, "%s perf_version = %u\n%s perf_num_ctr = %u\n%s perf_width_ctr = %u\n%s perf_num_fixed_ctr = %u\n", p,
            desc->perfmon.version, p, desc->perfmon.counters, p, desc->perfmon.bits, p, desc->perfmon.fixed);
}

/* `cores`: number of cores that share a cache of `size` bytes. */
static void write_cache(FILE *file, const struct node_desc *desc, int level, const struct sim_cache_config *cache,
                        uint64_t size, uint32_t cores) {
    uint32_t threads = cores * sim_threads(&desc->config);
    int inclusive = level == 3 && desc->config.inclusion == SIM_INCLUSIVE;
    fprintf(file, "cpuid_topology cacheLevels %d type = %s\n", level, level == 1 ? "DATACACHE" : "UNIFIEDCACHE");
    fprintf(file, "cpuid_topology cacheLevels %d associativity = %u\n", level, cache->ways);
    fprintf(file, "cpuid_topology cacheLevels %d sets = %llu\n", level,
            (unsigned long long)(size / cache->ways / desc->config.line));
    fprintf(file, "cpuid_topology cacheLevels %d lineSize = %u\n", level, desc->config.line);
    fprintf(file, "cpuid_topology cacheLevels %d size = %llu\n", level, (unsigned long long)size);
    fprintf(file, "cpuid_topology cacheLevels %d threads = %u\n", level, threads);
    fprintf(file, "cpuid_topology cacheLevels %d inclusive = %d\n", level, inclusive);
}

/* LIKWID's apicId is the operating system's number of the hardware thread. LIKWID computes a thread's last level as
 * coreId divided by the cores per last level, so smaller domains leave gaps in coreId. */
static void write_threads(FILE *file, const struct sim_config *config) {
    uint32_t part = sim_part(config->cores_per_socket, config->domains_per_socket);
    for (uint32_t i = 0; i < sim_cpus(config); i++) {
        uint32_t domain = sim_domain_of(config, i), core = sim_core_of(config, i);
        fprintf(file, "cpuid_topology threadPool %u threadId = %u\n", i, i / sim_cores(config));
        fprintf(file, "cpuid_topology threadPool %u coreId = %u\n", i,
                domain * part + core - topology_domain(config, domain).first);
        fprintf(file, "cpuid_topology threadPool %u packageId = %u\n", i, sim_socket_of(config, i));
        fprintf(file, "cpuid_topology threadPool %u dieId = 0\n", i);
        fprintf(file, "cpuid_topology threadPool %u apicId = %u\n", i, i);
    }
}

/* hwloc gives a memory without cores those of its NUMA domain, and LIKWID does as hwloc. */
static void write_memory(FILE *file, const struct node_desc *desc) {
    const struct sim_config *config = &desc->config;
    for (uint32_t n = 0; n < sim_numa_nodes(config); n++) {
        uint64_t cpus = topology_cpus(config, topology_numa(config, sim_numa_of_memory(config, n)));
        uint32_t written = 0;
        unsigned long long kilobytes = topology_memory(desc, n) / 1024;
        fprintf(file, "numa_info nodes %u id = %u\n", n + 1, n);
        fprintf(file, "numa_info nodes %u numberOfProcessors = %u\n", n + 1, (unsigned)__builtin_popcountll(cpus));
        fprintf(file, "numa_info nodes %u totalMemory = %llu\n", n + 1, kilobytes);
        fprintf(file, "numa_info nodes %u freeMemory = %llu\n", n + 1, kilobytes);
        fprintf(file, "numa_info nodes %u numberOfDistances = %u\n", n + 1, sim_numa_nodes(config));
        for (uint32_t cpu = 0; cpu < sim_cpus(config); cpu++)
            if (cpus >> cpu & 1)
                fprintf(file, "numa_info nodes %u processors %u = %u\n", n + 1, ++written, cpu);
        for (uint32_t i = 0; i < sim_numa_nodes(config); i++)
            fprintf(file, "numa_info nodes %u distances %u = %d\n", n + 1, i, topology_distance(config, n, i));
    }
}

int topology_write_likwid(const struct node_desc *desc, const char *path) {
    const struct sim_config *config = &desc->config;
    FILE *file = fopen(path, "we");
    if (!file)
        return -1;
    write_cpu(file, desc);
    fprintf(file, "cpuid_topology numHWThreads = %u\n", sim_cpus(config));
    fprintf(file, "cpuid_topology numSockets = %u\ncpuid_topology numDies = 0\n", config->sockets);
    fprintf(file, "cpuid_topology numCoresPerSocket = %u\n", config->cores_per_socket);
    fprintf(file, "cpuid_topology numThreadsPerCore = %u\ncpuid_topology numCacheLevels = 3\n", sim_threads(config));
    write_cache(file, desc, 1, &config->l1d, config->l1d.size, 1);
    write_cache(file, desc, 2, &config->l2, config->l2.size, 1);
    write_cache(file, desc, 3, &config->l3, topology_last_level(config),
                sim_part(config->cores_per_socket, config->domains_per_socket));
    write_threads(file, config);
    fprintf(file, "numa_info numberOfNodes = %u\n", sim_numa_nodes(config));
    write_memory(file, desc);
    int failed = ferror(file);
    return fclose(file) == 0 && !failed ? 0 : -1;
}
