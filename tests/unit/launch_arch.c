/* launch_arch.c - architectures as the launcher reads them, their shapes, and what follows from these: last levels,
 * NUMA domains, APIC numbers, topologies. Uses the test architectures in tests/archs, because the launcher has no
 * built-in knowledge of any architecture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include <hwloc.h>

#include "launch_files.h"
#include "vnode/launch/arch.h"
#include "vnode/launch/features.h"
#include "vnode/launch/machine.h"
#include "vnode/launch/node_desc_read.h"
#include "vnode/launch/topology.h"

static const char groups[] = "tests/archs";

struct scratch {
    char folder[SCRATCH_BYTES], arch[96], path[128];
};

static int setup(void **state) {
    struct scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    make_scratch(s->folder);
    snprintf(s->arch, sizeof s->arch, "%s/mine", s->folder);
    snprintf(s->path, sizeof s->path, "%s/machine.lua", s->arch);
    assert_int_equal(mkdir(s->arch, 0700), 0);
    *state = s;
    return 0;
}

#define ARCH_TEST(name) TEST_WITH(name, struct scratch *s, setup, remove_scratch)

static struct node_desc node(const char *name) {
    struct node_desc desc;
    char error[512];
    if (node_desc_read(name, groups, &desc, error, sizeof error))
        fail_msg("%s", error);
    return desc;
}

static void refused(const char *name, const char *part) {
    struct node_desc desc;
    char error[512] = "";
    if (!node_desc_read(name, groups, &desc, error, sizeof error) || !strstr(error, part) || strchr(error, '\n'))
        fail_msg("%s: '%s' is not '%s'", name, error, part);
}

ARCH_TEST(shapes) {
    struct node_desc desc = node("complexes");
    assert_string_equal(desc.name, "complexes-1x4");
    assert_int_equal(sim_cores(&desc.config), 4);
    assert_int_equal(node("victims-4x16").config.cores_per_socket, 16);
    refused("complexes-3x4",
            "complexes-3x4: no such shape; complexes-SxC: S sockets (1, 2) of C cores (1 to 64), 64 in");
    refused("complexes-2x33", "no such shape");
    refused("complexes-1x65", "no such shape");
    refused("complexes-1x0", "no such shape");
    refused("victims-1x29", "of C cores (1 to 28)");
    refused("victims-3x2", "no such shape");
    refused("victims-8x1", "S sockets (1, 2, 4)");
    refused("victims-1x1", "numa_per_socket"); /* two NUMA domains need two cores */
    refused("victims-2xx", "victims-2xx: no such architecture");
    refused("nothing-1x2", "nothing: no such architecture");
    refused("", "tests/archs: no architecture is the default one");
    refused("-1x2", "cannot be an architecture's name");
    refused("..-1x2", "cannot be an architecture's name");
}

/* sim_config follows the file. */
ARCH_TEST(properties_from_the_machine_file) {
    struct node_desc desc = node("complexes-2x16");
    assert_int_equal(desc.vendor, IDENTITY_AMD);
    assert_int_equal(desc.physical_bits, 48);
    assert_int_equal(desc.perfmon.version, 0);
    assert_int_equal(desc.perfmon2.core, 6);
    assert_int_equal(desc.perfmon2.fabric, 16);
    assert_int_equal(desc.perfmon2.channel, 4);
    assert_int_equal(desc.config.domains_per_socket, 2);
    assert_int_equal(desc.config.slices, 8); /* a complex has all slices, for any number of cores */
    assert_int_equal(desc.config.inclusion, SIM_VICTIM);
    assert_int_equal(desc.config.protocol, SIM_MOESI);
    assert_int_equal(desc.config.directory, SIM_SHADOW_TAGS);
    assert_int_equal(desc.config.agents, 0);
    assert_int_equal(desc.config.links, 3);
    assert_int_equal(desc.config.numa_per_socket, 1);
    assert_int_equal(node("complexes-1x3").config.domains_per_socket, 1);
    assert_int_equal(node("complexes-1x3").config.slices, 8);
    desc = node("victims-2x6");
    assert_int_equal(desc.vendor, IDENTITY_INTEL);
    assert_int_equal(desc.perfmon.version, 4);
    assert_int_equal(desc.config.domains_per_socket, 1);
    assert_int_equal(desc.config.numa_per_socket, 2);
    assert_int_equal(desc.config.slices, 6); /* one per core */
    assert_int_equal(desc.config.inclusion, SIM_VICTIM);
    assert_int_equal(desc.config.protocol, SIM_MESIF);
    assert_int_equal(desc.config.directory, SIM_SNOOP_FILTER);
    assert_int_equal(desc.config.filter.entries, 24576);
    assert_int_equal(desc.config.filter.ways, 12);
    assert_int_equal(desc.config.l2.size, 1 << 20);
    assert_int_equal(desc.config.l3.ways, 11);
}

/* 13 cores per socket, at most eight per complex: 7 + 6, in two sockets. */
ARCH_TEST(smaller_last_domain) {
    const struct node_desc desc = node("complexes-2x13");
    static const struct core_range domains[] = {{0, 7}, {7, 6}, {13, 7}, {20, 6}};
    for (uint32_t i = 0; i < 4; i++) {
        struct core_range range = topology_domain(&desc.config, i);
        assert_int_equal(range.first, domains[i].first);
        assert_int_equal(range.count, domains[i].count);
    }
    assert_int_equal(topology_numa(&desc.config, 1).first, 13);
    assert_int_equal(topology_last_level(&desc.config), 32 << 20);
    /* three bits for the core in its complex, one for the complex, then the socket */
    assert_int_equal(identity_domain_bits(&desc.config), 3);
    assert_int_equal(identity_socket_bits(&desc.config), 4);
    assert_int_equal(identity_apic(&desc.config, 6), 6);
    assert_int_equal(identity_apic(&desc.config, 7), 8);
    assert_int_equal(identity_apic(&desc.config, 12), 13);
    assert_int_equal(identity_apic(&desc.config, 13), 16);
    assert_int_equal(identity_apic(&desc.config, 25), 29);
    /* a bit for the thread below those of the core */
    struct sim_config smt = desc.config;
    smt.threads_per_core = 2;
    assert_int_equal(identity_core_id(&smt, 26 + 7), 8);
    assert_int_equal(identity_apic(&smt, 7), 16);
    assert_int_equal(identity_apic(&smt, 26 + 7), 17);
    assert_int_equal(identity_apic(&smt, 26 + 13), 33);
    /* three domains of five cores: the second socket's numbers start at 32 */
    const struct sim_config odd = {.sockets = 2, .cores_per_socket = 15, .domains_per_socket = 3};
    assert_int_equal(identity_apic(&odd, 14), 20);
    assert_int_equal(identity_apic(&odd, 15), 32);
}

ARCH_TEST(distances) {
    const struct node_desc desc = node("victims-2x5");
    static const struct core_range numas[] = {{0, 3}, {3, 2}, {5, 3}, {8, 2}};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(topology_numa(&desc.config, i).first, numas[i].first);
        assert_int_equal(topology_numa(&desc.config, i).count, numas[i].count);
    }
    assert_int_equal(topology_distance(&desc.config, 2, 2), 10);
    assert_int_equal(topology_distance(&desc.config, 2, 3), 12);
    assert_int_equal(topology_distance(&desc.config, 1, 2), 21);
}

/* The hardware threads of some cores: second ones have the numbers after all cores'. */
static unsigned long long threads_of(const struct sim_config *config, struct core_range cores) {
    unsigned long long first = ((1ULL << cores.count) - 1) << cores.first;
    return sim_threads(config) > 1 ? first | first << sim_cores(config) : first;
}

/* The processing units of an hwloc object, as a bit set of Linux' CPU numbers. */
static unsigned long long units(hwloc_const_bitmap_t set) {
    return hwloc_bitmap_to_ith_ulong(set, 0);
}

/* Reads the XML with hwloc and checks the cores of each domain and each NUMA domain. */
static void check_xml(const struct scratch *s, const struct node_desc *desc) {
    const struct sim_config *config = &desc->config;
    hwloc_topology_t topology;
    assert_int_equal(topology_write_hwloc(desc, s->path), 0);
    assert_int_equal(hwloc_topology_init(&topology), 0);
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    assert_int_equal(hwloc_topology_set_xml(topology, s->path), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    assert_int_equal(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), sim_cpus(config));
    assert_int_equal(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), sim_cores(config));
    assert_int_equal(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE), config->sockets);
    assert_int_equal(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L3CACHE), sim_domains(config));
    assert_int_equal(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE), sim_memories(config));
    for (uint32_t i = 0; i < sim_domains(config); i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L3CACHE, i);
        assert_int_equal(units(cache->cpuset), threads_of(config, topology_domain(config, i)));
        assert_int_equal(cache->attr->cache.size, topology_last_level(config));
    }
    for (uint32_t i = 0; i < sim_memories(config); i++) {
        hwloc_obj_t memory = hwloc_get_numanode_obj_by_os_index(topology, i);
        assert_int_equal(units(memory->cpuset),
                         threads_of(config, topology_numa(config, sim_numa_of_memory(config, i))));
        assert_int_equal(memory->attr->numanode.local_memory, desc->memory_bytes);
    }
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    assert_string_equal(hwloc_obj_get_info_by_name(package, "CPUVendor"), topology_vendor(desc->vendor));
    hwloc_topology_destroy(topology);
}

ARCH_TEST(hwloc_sees_it) {
    static const char *const names[] = {"complexes-1x1", "complexes-1x12", "complexes-2x13", "complexes-1x50",
                                        "victims-1x4",   "victims-2x5",    "victims-4x7"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct node_desc desc = node(names[i]);
        check_xml(s, &desc);
        desc.config.threads_per_core = 2;
        if (sim_cpus(&desc.config) <= SIM_CORES_MAX)
            check_xml(s, &desc);
    }
    struct node_desc desc = node("complexes-1x31"); /* 8 + 8 + 8 + 7 */
    desc.config.numa_per_socket = 2;
    assert_null(topology_error(&desc.config));
    check_xml(s, &desc);
    desc.config.numa_per_socket = 4;
    check_xml(s, &desc);
    desc.config.numa_per_socket = 3;
    assert_non_null(topology_error(&desc.config));
    desc = node("victims-2x5"); /* two NUMA domains a socket */
    desc.config.hbm_channels = 8;
    check_xml(s, &desc);
    desc = node("complexes-1x13");
    desc.config.numa_per_socket = 4; /* 4 + 4 + 4 + 1, across the border of 7 + 6 */
    assert_non_null(topology_error(&desc.config));
}

ARCH_TEST(likwid_file) {
    struct node_desc desc = node("complexes-2x13");
    assert_int_equal(topology_write_likwid(&desc, s->path), 0);
    const char *text = contents(s->path);
    static const char *const lines[] = {
        "cpuid_info family = 25\n", "cpuid_info model = 1\n", "cpuid_info stepping = 1\n", "cpuid_info isIntel = 0\n",
        "cpuid_info perf_version = 0\n", "cpuid_topology cacheLevels 3 size = 33554432\n",
        "cpuid_topology cacheLevels 3 threads = 7\n", "cpuid_topology cacheLevels 3 inclusive = 0\n",
        /* a gap after the smaller complex, so that coreId / threads is the complex */
        "threadPool 12 coreId = 12\n", "threadPool 13 coreId = 14\n", "threadPool 25 coreId = 26\n",
        "threadPool 13 apicId = 13\n", "threadPool 13 packageId = 1\n", "numa_info numberOfNodes = 2\n",
        "numa_info nodes 2 processors 13 = 25\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("no '%s' in %s", lines[i], text);
    desc = node("victims-2x5");
    assert_int_equal(topology_write_likwid(&desc, s->path), 0);
    text = contents(s->path);
    assert_non_null(strstr(text, "cpuid_info isIntel = 1\n"));
    assert_non_null(strstr(text, "cpuid_info perf_version = 4\n"));
    assert_non_null(strstr(text, "cpuid_topology cacheLevels 3 sets = 10240\n"));
    assert_non_null(strstr(text, "numa_info numberOfNodes = 4\n"));
    assert_non_null(strstr(text, "numa_info nodes 2 numberOfProcessors = 2\n"));
    assert_non_null(strstr(text, "numa_info nodes 2 distances 3 = 21\n"));
}

/* The first line of a file that machine_write() made. */
static const char *line_of(const struct scratch *s, const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    char *text = contents(path);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

ARCH_TEST(files_of_linux) {
    struct node_desc desc = node("complexes-1x50"); /* more cores than fit in one word of Linux' masks: 8, .., 8, 2 */
    assert_int_equal(machine_write(&desc, s->folder), 0);
    assert_string_equal(line_of(s, "sys/devices/system/cpu/online"), "0-49");
    assert_string_equal(line_of(s, "sys/devices/system/cpu/cpu40/cache/index3/shared_cpu_list"), "40-47");
    assert_string_equal(line_of(s, "sys/devices/system/cpu/cpu40/cache/index3/shared_cpu_map"), "ff00,00000000");
    assert_string_equal(line_of(s, "sys/devices/system/cpu/cpu49/cache/index3/shared_cpu_list"), "48-49");
    assert_string_equal(line_of(s, "sys/devices/system/cpu/cpu0/topology/package_cpus"), "3ffff,ffffffff");
    assert_string_equal(line_of(s, "sys/devices/system/cpu/cpu3/cache/index3/size"), "32768K");
    desc = node("complexes-1x64");
    assert_int_equal(machine_write(&desc, s->arch), 0);
    assert_string_equal(line_of(s, "mine/sys/devices/system/node/node0/cpumap"), "ffffffff,ffffffff");
    const char *text = contents(strcat(strcpy(s->path, s->arch), "/proc/cpuinfo"));
    assert_non_null(strstr(text, "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"));
    assert_non_null(strstr(text, "cache size\t: 512 KB\n"));
    assert_non_null(strstr(text, " topoext "));
    assert_null(strstr(text, "arch_perfmon"));
    assert_non_null(strstr(text, " perfmon_v2"));
}

ARCH_TEST(abilities) {
    enum { ERMS = 9, ADX = 19, VMX = 5, SVM = 2 };
    struct node_desc amd = node("complexes"), intel = node("victims");
    uint32_t words[2][IDENTITY_WORDS];
    features_of_node(&amd, words[0]);
    features_of_node(&intel, words[1]);
    assert_int_equal(words[0][IDENTITY_7_EBX] >> ERMS & 1, 0); /* `without` */
    assert_int_equal(words[1][IDENTITY_7_EBX] >> ERMS & 1, 1);
    assert_int_equal(words[0][IDENTITY_1_ECX] >> VMX & 1, 0);
    assert_int_equal(words[1][IDENTITY_1_ECX] >> VMX & 1, 1);
    assert_int_equal(words[0][IDENTITY_EXTENDED_1_ECX] >> SVM & 1, 1);
    assert_int_equal(words[1][IDENTITY_EXTENDED_1_ECX] >> SVM & 1, 0);
    assert_int_equal(words[0][IDENTITY_7_EBX] >> ADX & 1, words[1][IDENTITY_7_EBX] >> ADX & 1);
}

static int line_with(const char *text, const char *part) {
    const char *at = strstr(text, part);
    int line = 1;
    for (const char *c = text; at && c < at; c++)
        line += *c == '\n';
    return line;
}

/* Errors in machine.lua are reported with file and line; '@': the changed line. */
ARCH_TEST(wrong_files) {
    static const struct {
        const char *part, *instead, *said;
    } cases[] = {
        {"channels = 8,", "channels = 99,", "@processor.channels is out of range"},
        {"vendor = \"AuthenticAMD\"", "vendor = \"Other\"", "@processor.vendor must be one of"},
        {"vendor = \"AuthenticAMD\"", "vendor = \"GenuineIntel\"", ":7: processor.perfmon is missing"},
        {"fabric = 16", "fabric = 64", "@perfmon2.fabric is out of range"},
        {"fabric = 16, ", "", ":13: perfmon2.fabric is missing"},
        {"without = { \"erms\" }", "without = { \"ermz\" }", "@processor.without names an instruction set"},
        {"stlb = tlb { entries = 2048, ways = 8 }", "stlb = tlb { entries = 2048 }", "@stlb.ways is missing"},
        {"stlb = tlb { entries = 2048, ways = 8 }", "stlb = tlb { entries = 2048, ways = 7 }", "stlb: entries must be"},
        {"page = 4096", "page = 4096, large_page = 5000", "large_page: must be"},
        {"page = 4096", "page = 4096, dtlb_large = tlb { entries = 8 }", "@dtlb_large.ways is missing"},
        {"page = 4096", "page = 4096, dtlb_large = tlb { entries = 6, ways = 4 }", "dtlb_large: entries must be"},
        {"page = 4096", "pages = 4096", "processor.pages is not known here"},
        {"shape = \"1x4\"", "shape = \"3x4\"", "@processor.shape must be"},
        {"sockets = { 1, 2 }", "sockets = { 1, 9 }", "@processor.sockets must be a list"},
        {"sockets = { 1, 2 }", "sockets = {}", "@processor.sockets must be a list"},
        {"name = \"L3\"", "name = \"L4\"", "level 4.name must be L1I"},
        {"name = \"L2\"", "name = \"L3\"", "level 4.name must be L1I"},
        {"cores = 8", "cores = \"all\"", "level 4.cores must be a whole number"},
        {"cores = 8", "cores = 0", "level 4.cores is out of range"},
        {"slices = 8", "slices = \"core \"", "level 4.slices must be a whole number"},
        {"directory = \"shadow_tags\",", "", "levels L3 must say its protocol and directory"},
        {"directory = \"shadow_tags\"", "directory = \"inclusive\"",
         "its directory must be snoop_filter or shadow_tags"},
        {"directory = \"shadow_tags\"", "directory = \"snoop_filter\"", "level 4.snoop_filter must be a table"},
        {"victims_to = \"L3\"", "store_to = \"L3\"", "L2's victims_to must name it"},
        {"store_to = \"MEM\"", "load_from = \"MEM\"", "L3 loads from memory: inclusive must be true"},
        {"latency = 40", "latency = \"x\"", "@level 4.latency must be a whole number"},
        {"inclusive = false", "inclusive = 0", "level 4.inclusive must be true or false"},
        {"processor = processor {", "processor = 7, other = processor {", "processor must be a table"},
        {"return machine {", "local all = {", ":1: the file returns a table"},
    };
    struct arch arch;
    char error[512], said[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = contents("tests/archs/complexes/machine.lua"), *at = strstr(text, cases[i].part);
        assert_non_null(at);
        FILE *file = fopen(s->path, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(at - text), text, cases[i].instead, at + strlen(cases[i].part));
        fclose(file);
        snprintf(said, sizeof said, "%s", cases[i].said);
        if (said[0] == '@')
            snprintf(said, sizeof said, ":%d: %s", line_with(contents(s->path), cases[i].instead), cases[i].said + 1);
        const char *wrong = arch_read(s->folder, "mine", &arch, error, sizeof error);
        if (!wrong || strncmp(wrong, s->path, strlen(s->path)) != 0 || !strstr(wrong, said))
            fail_msg("'%s' for '%s': %s", cases[i].instead, cases[i].part, wrong ? wrong : "accepted");
    }
}

ARCH_TEST(default_architecture) {
    char name[32], error[512];
    assert_null(arch_default(GROUPS, name, sizeof name, error, sizeof error));
    assert_string_equal(name, "haswellEP");
    assert_non_null(arch_default("tests", name, sizeof name, error, sizeof error));
    assert_non_null(arch_default("/nonexistent", name, sizeof name, error, sizeof error));
}

/* If the only file is broken, the message must name that file. */
ARCH_TEST(unreadable_default_architecture) {
    char name[32], error[512] = "";
    FILE *file = fopen(s->path, "w");
    assert_non_null(file);
    fputs("return machine {\n    processor = processor {},\n", file);
    fclose(file);
    assert_non_null(arch_default(s->folder, name, sizeof name, error, sizeof error));
    if (strncmp(error, s->path, strlen(s->path)) != 0 || strncmp(error + strlen(s->path), ":3: ", 4) != 0)
        fail_msg("%s", error);
}

/* Lua's global names are not available: a file that uses one is wrong at that line. */
ARCH_TEST(names_of_lua) {
    static const char *const names[] = {"os", "io", "require", "pcall", "setmetatable", "coroutine"};
    struct arch arch;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char error[512] = "", said[64];
        FILE *file = fopen(s->path, "w");
        assert_non_null(file);
        fprintf(file, "return machine {\n    processor = %s { 1 },\n}\n", names[i]);
        fclose(file);
        snprintf(said, sizeof said, ":2: attempt to call a nil value (global '%s')", names[i]);
        if (!arch_read(s->folder, "mine", &arch, error, sizeof error) || !strstr(error, said))
            fail_msg("%s: %s", names[i], error);
    }
}
