/* launch_node.c - descriptions of nodes, topology files, how commands are started, a node's life.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <sys/stat.h>

#include "launch_files.h"
#include "vnode/command.h"
#include "vnode/launch/faults.h"
#include "vnode/launch/likwid_version.h"
#include "vnode/launch/node_desc_read.h"
#include "vnode/launch/topology.h"
#include "vnode/launch/vnode.h"
#include "vnode/pmu/compiled.h"

struct scratch {
    char folder[SCRATCH_BYTES], path[128];
};

static int setup(void **state) {
    struct scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    make_scratch(s->folder);
    snprintf(s->path, sizeof s->path, "%s/node.lua", s->folder);
    *state = s;
    return 0;
}

#define NODE_TEST(name) TEST_WITH(name, struct scratch *s, setup, remove_scratch)

NODE_TEST(nodes_by_name) {
    struct node_desc desc;
    char error[512];
    assert_null(node_desc_read("haswellEP-1x2", GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "haswellEP-1x2");
    assert_string_equal(desc.arch, "haswellEP");
    assert_int_equal(signature_family(desc.signature), 6);
    assert_int_equal(signature_model(desc.signature), 63);
    assert_int_equal(signature_stepping(desc.signature), 2);
    assert_int_equal(desc.config.sockets, 1);
    assert_int_equal(desc.config.cores_per_socket, 2);
    assert_int_equal(desc.config.l3.size, 5 << 19);
    assert_int_equal(desc.config.slices, 2);
    assert_int_equal(desc.config.stlb.entries, 1024);
    assert_int_equal(desc.config.large_page, 2 << 20);
    assert_int_equal(desc.config.dtlb_large.entries, 32);
    assert_int_equal(desc.config.clock_hz, UINT64_C(2300000000));
    assert_null(node_desc_read("haswellEP-2x1", GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.sockets, 2);
    assert_null(node_desc_read("haswellEP-2x14", GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "haswellEP-2x14");
    assert_int_equal(desc.perfmon.counters, 8);
    assert_int_equal(desc.config.cores_per_socket, 14);
    assert_int_equal(desc.config.slices, 14);
    assert_null(node_desc_read("haswellEP", GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "haswellEP-1x2");
    assert_null(node_desc_read("", GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "haswellEP-1x2");
}

/* Two threads per core halve the counters of an Intel processor, not those of another vendor's (which has no leaf). */
NODE_TEST(nodes_with_smt) {
    struct node_desc desc;
    char error[512];
    assert_null(node_desc_read("haswellEP-2x4x2", GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "haswellEP-2x4x2");
    assert_int_equal(sim_cores(&desc.config), 8);
    assert_int_equal(sim_cpus(&desc.config), 16);
    assert_int_equal(desc.config.slices, 4);
    assert_int_equal(desc.perfmon.counters, 4);
    assert_int_equal(desc.perfmon.fixed, 3);
    assert_null(node_desc_read("haswellEP-2x4x1", GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "haswellEP-2x4");
    assert_int_equal(desc.perfmon.counters, 8);
    assert_null(node_desc_read("zen3-1x32x2", GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.perfmon.counters, 0);
    static const char *const wrong[] = {"haswellEP-2x4x3", "haswellEP-2x4x0", "haswellEP-2x17x2", "zen3-1x33x2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_non_null(node_desc_read(wrong[i], GROUPS, &desc, error, sizeof error));
        assert_non_null(strstr(error, "no such shape"));
        assert_non_null(strstr(error, "SxCx2: 2 hardware threads per core, 64 in all at most"));
    }
    assert_non_null(node_desc_read("haswellEP-2x4x2x2", GROUPS, &desc, error, sizeof error));
}

/* A node file with all keys. */
static const char whole[] = "return {\n"
                            "    arch = \"haswellEP\",\n"
                            "    cpu = \"Mine\",\n"
                            "    signature = 0x306f2,\n"
                            "    sockets = 1,\n"
                            "    cores_per_socket = 2,\n"
                            "    memory_bytes = 4 << 30,\n"
                            "    line = 64,\n"
                            "    page = 4096,\n"
                            "    l1i = { size = 32 << 10, ways = 8, latency = 0 },\n"
                            "    l1d = { size = 32 << 10, ways = 8, latency = 0 },\n"
                            "    l2 = { size = 256 << 10, ways = 8, latency = 12 },\n"
                            "    l3 = { size = 2560 << 10, ways = 20, latency = 34 },\n"
                            "    channels = 4,\n"
                            "    agents = 2,\n"
                            "    memory_latency = 200,\n"
                            "    remote_latency = 310,\n"
                            "    dtlb = { entries = 64, ways = 4 },\n"
                            "    itlb = { entries = 128, ways = 4 },\n"
                            "    stlb = { entries = 1024, ways = 8 },\n"
                            "    dtlb_large = { entries = 32, ways = 4 },\n"
                            "    large_page = 2 << 20,\n"
                            "    walk_latency = 30,\n"
                            "    branch_penalty = 15,\n"
                            "    instructions_per_cycle_x4 = 4,\n"
                            "    clock_hz = 2300000000,\n"
                            "    uncore_hz = 2300000000,\n"
                            "}\n";

NODE_TEST(node_files) {
    struct node_desc desc, named;
    char error[512];
    put(s->path, whole);
    assert_null(node_desc_read("haswellEP-1x2", GROUPS, &named, error, sizeof error));
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_string_equal(desc.name, "node");
    assert_string_equal(desc.cpu, "Mine");
    assert_memory_equal(&desc.config, &named.config, sizeof desc.config);
    put(s->path, "return { arch = 'haswellEP', sockets = 3, cores_per_socket = 5, l3 = { size = 20 << 20 } }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.sockets, 3); /* the architecture's nodes may have fewer */
    assert_int_equal(desc.config.slices, 5);
    assert_int_equal(desc.config.l3.size, 20 << 20);
    assert_int_equal(desc.config.l3.ways, 20);
    assert_string_equal(desc.cpu, named.cpu);
    put(s->path, "return { arch = 'haswellEP', large_page = 4 << 20, dtlb_large = { entries = 16 } }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.large_page, 4 << 20);
    assert_int_equal(desc.config.dtlb_large.entries, 16);
    assert_int_equal(desc.config.dtlb_large.ways, 4);
    put(s->path,
        "return { arch = 'zen3', sockets = 2, cores_per_socket = 4, numa_domains = 4, channels = 2 }"); /* NPS4 */
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.numa_per_socket, 4);
    assert_int_equal(desc.config.channels, 2);
    assert_int_equal(desc.config.prefetchers, 0);
    assert_int_equal(desc.config.frames_seed, 0);
    put(s->path, "return { arch = 'SPR', hbm = 'flat' }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.hbm_channels, 32);
    assert_int_equal(sim_memories(&desc.config), 2);
    put(s->path,
        "return { arch = 'SPR', cores_per_socket = 4, numa_domains = 4, channels = 2, agents = 1, hbm = 'flat' }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.hbm_channels, 8); /* of each NUMA domain */
    put(s->path, "return { arch = 'SPR', hbm = 'flat', hbm_channels = 16 }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.hbm_channels, 16);
    put(s->path, "return { arch = 'SPR' }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.hbm_channels, 0);
    put(s->path, "return { arch = 'haswellEP', prefetchers = true, pages = 'random', perf_kernel = true }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.prefetchers, SIM_PREFETCHERS);
    assert_int_equal(desc.config.frames_seed, 1);
    assert_int_equal(desc.perf_paranoid, -1);
    put(s->path, "return { arch = 'haswellEP', perf_event_paranoid = 1 }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.perf_paranoid, 1);
    put(s->path, "return { arch = 'haswellEP', prefetchers = { 'l2_adjacent', 'l1_stride' }, frames_seed = 7 }");
    assert_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_int_equal(desc.config.prefetchers, SIM_L2_ADJACENT | SIM_L1_STRIDE);
    assert_int_equal(desc.config.frames_seed, 7);
    put(s->path, "return {\n arch = 'none' }");
    assert_non_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_non_null(strstr(error, "node.lua:2: arch cannot be used: none: no such architecture"));
}

/* Writes a node file with one part of its text replaced. */
static void put_changed(const struct scratch *s, const char *part, const char *instead) {
    char changed[8192];
    const char *at = strstr(whole, part);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - whole), whole, instead, at + strlen(part));
    put(s->path, changed);
}

static int line_with(const char *path, const char *part) {
    char *text = contents(path), *at = strstr(text, part);
    int line = 1;
    for (char *c = text; at && c < at; c++)
        line += *c == '\n';
    return line;
}

NODE_TEST(wrong_descriptions_name_file_and_line) {
    static const struct {
        const char *part, *instead, *field, *said;
    } cases[] = {
        {"sockets = 1", "sockets = 99", "sockets =", "sockets is out of range"},
        {"channels = 4", "channels = 'many'", "channels =", "channels must be a whole number"},
        {"page = 4096", "page = 1.5", "page =", "page must be a whole number"},
        {"l2 = { size", "l2 = { colour = 1, size", "l2 =", "l2.colour is not known here"},
        {"l2 = { size = 256 << 10,", "l2 = { size = 3,", "l2 =", "l2: size must be"},
        {"stlb = { entries", "stlb = 5, --", "stlb =", "stlb must be a table"},
        {"line = 64", "line = 64, lines = 3", "lines =", "lines is not known here"},
        {"line = 64", "prefetchers = 4, line = 64", "line =", "prefetchers must be true, false or a list of l2_"},
        {"line = 64", "prefetchers = { 'l9' }, line = 64",
         "line =", "prefetchers must be true, false or a list of l2_"},
        {"line = 64", "pages = 'huge', line = 64", "line =", "pages must be one of ordered, random"},
        {"line = 64", "hbm = 'cache', line = 64", "line =", "hbm must be one of none, flat"},
        {"line = 64", "hbm = 'flat', line = 64",
         "line =", "hbm needs a processor with such memory, which haswellEP has not"},
        {"line = 64", "hbm_channels = 8, line = 64", "line =", "hbm_channels needs hbm = \"flat\""},
        {"arch = \"haswellEP\"", "arch = 7", "arch =", "arch must name an architecture"},
        {"    arch = \"haswellEP\",\n", "", "return", "arch must name an architecture"},
    };
    struct node_desc desc;
    char error[512], start[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_changed(s, cases[i].part, cases[i].instead);
        assert_non_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
        assert_null(strchr(error, '\n'));
        snprintf(start, sizeof start, "%s:%d: %s", s->path, line_with(s->path, cases[i].field), cases[i].said);
        if (strncmp(error, start, strlen(start)) != 0)
            fail_msg("%s, not %s", error, start);
    }
    put(s->path, "return {\n  arch = \n}");
    assert_non_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    snprintf(start, sizeof start, "%s:3:", s->path);
    assert_memory_equal(error, start, strlen(start));
    put(s->path, "return 5");
    assert_non_null(node_desc_read(s->path, GROUPS, &desc, error, sizeof error));
    assert_non_null(node_desc_read("/nonexistent.lua", GROUPS, &desc, error, sizeof error));
}

NODE_TEST(topology_of_a_node) {
    struct node_desc desc;
    char error[512];
    assert_null(node_desc_read("haswellEP-2x4", GROUPS, &desc, error, sizeof error));
    assert_int_equal(topology_write_likwid(&desc, s->path), 0);
    const char *text = contents(s->path);
    assert_non_null(strstr(text, "cpuid_info model = 63\n"));
    assert_non_null(strstr(text, "cpuid_topology numHWThreads = 8\n"));
    assert_non_null(strstr(text, "cpuid_topology threadPool 5 packageId = 1\n"));
    assert_non_null(strstr(text, "cpuid_topology cacheLevels 3 size = 10485760\n")); /* four slices of 2.5 MiB */
    assert_non_null(strstr(text, "cpuid_topology cacheLevels 2 sets = 512\n"));
    assert_non_null(strstr(text, "numa_info nodes 2 processors 1 = 4\n"));
    assert_int_equal(topology_write_hwloc(&desc, s->path), 0);
    text = contents(s->path);
    assert_non_null(strstr(text, "\"CPUModelNumber\" value=\"63\""));
    int units = 0;
    for (const char *at = strstr(text, "type=\"PU\""); at; at = strstr(at + 1, "type=\"PU\""))
        units++;
    assert_int_equal(units, 8);
}

NODE_TEST(version_of_likwid) {
    assert_int_equal(likwid_version_of("likwid-perfctr -- Version 5.2.2 (commit: 233ab943)\n"), 50202);
    assert_int_equal(likwid_version_of("likwid-perfctr -- Version 5.5.1"), 50501);
    assert_int_equal(likwid_version_of("no such thing"), 0);
    assert_int_equal(likwid_version_number("5.3"), 50300);
    assert_int_equal(likwid_version_number("5"), 0);
}

static void put_program(const struct scratch *s, const char *name, const char *text, char *path) {
    snprintf(path, 128, "%s/%s", s->folder, name);
    put(path, text);
    assert_int_equal(chmod(path, 0700), 0);
}

static enum program_kind kind_of(const struct scratch *s, const char *program) {
    static struct command command;
    struct command_node node = {.folder = "/node", .tools = s->folder};
    assert_int_equal(command_prepare(&command, &node, program, 1, s->folder), 0);
    assert_int_equal(strncmp(command.engine, s->folder, strlen(s->folder)), 0);
    assert_string_equal(command.engine + strlen(s->folder), "/bin/assay-engine");
    return command.kind;
}

static void put_bytes(const struct scratch *s, const char *name, const char *bytes, size_t size) {
    char path[128];
    put_program(s, name, "", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

NODE_TEST(kinds_of_programs) {
    char path[160];
    /* ELF header: class, data, .. 16: type, 18: machine */
    put_bytes(s, "mine",
              "\x7f"
              "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0",
              20);
    put_bytes(s, "x32",
              "\x7f"
              "ELF\1\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0",
              20);
    put_bytes(s, "i386",
              "\x7f"
              "ELF\1\1\1\0\0\0\0\0\0\0\0\0\3\0\3\0",
              20);
    put_bytes(s, "arm",
              "\x7f"
              "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\xb7\0",
              20);
    put_bytes(s, "s390",
              "\x7f"
              "ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\3\0\x16",
              20);
    put_bytes(s, "short",
              "\x7f"
              "ELF\1",
              5);
    put_program(s, "likwid-bench", "ELF", path);
    put_program(s, "likwid-topology", "#!/usr/bin/lua\n", path);
    put_program(s, "make", "#!/bin/sh\n", path);
    assert_int_equal(kind_of(s, "mine"), PROGRAM_COUNTED);
    assert_int_equal(kind_of(s, "x32"), PROGRAM_32_BIT);
    assert_int_equal(kind_of(s, "i386"), PROGRAM_32_BIT);
    assert_int_equal(kind_of(s, "arm"), PROGRAM_FOREIGN);
    assert_int_equal(kind_of(s, "s390"), PROGRAM_FOREIGN);
    assert_int_equal(kind_of(s, "short"), PROGRAM_COUNTED);
    assert_int_equal(kind_of(s, "make"), PROGRAM_COUNTED);
    /* not in a folder with likwid-perfctr: user programs */
    assert_int_equal(kind_of(s, "likwid-topology"), PROGRAM_COUNTED);
    put_program(s, "likwid-perfctr", "#!/usr/bin/lua\n", path);
    assert_int_equal(kind_of(s, "likwid-topology"), PROGRAM_LIKWID);
    assert_int_equal(kind_of(s, "likwid-perfctr"), PROGRAM_LIKWID);
    assert_int_equal(kind_of(s, "likwid-bench"), PROGRAM_COUNTED);
    snprintf(path, sizeof path, "%s/bin", s->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    put_program(s, "bin/likwid-accessD", "ELF", path);
    assert_int_equal(kind_of(s, path), PROGRAM_LIKWID);
    assert_null(program_obstacle(PROGRAM_COUNTED));
    assert_null(program_obstacle(PROGRAM_LIKWID));
    assert_non_null(strstr(program_obstacle(PROGRAM_32_BIT), "32-bit"));
    snprintf(path, sizeof path, "%s/mine", s->folder);
    assert_int_equal(chmod(path, 04700), 0);
    assert_int_equal(kind_of(s, "mine"), PROGRAM_PRIVILEGED);
}

NODE_TEST(programs_that_are_not_there) {
    static struct command command;
    struct command_node node = {.folder = "/node", .tools = "/tools", .beside = 1};
    char path[128];
    put_program(s, "mine", "", path);
    assert_int_equal(command_prepare(&command, &node, path, 0, ""), 0);
    assert_string_equal(command.program, path);
    assert_string_equal(command.prefix[6], "--node=/node");
    assert_string_equal(command.prefix[7], "--beside=yes");
    assert_null(command.prefix[8]);
    assert_int_equal(command_prepare(&command, &node, "nothing", 1, s->folder), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(command_prepare(&command, &node, s->folder, 1, ""), -1);
    assert_int_equal(errno, EACCES);
    assert_int_equal(command_prepare(&command, &node, "", 1, s->folder), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(command_prepare(&command, &node, "mine", 1, s->folder), -1);
    assert_int_equal(errno, EACCES);
}

static void put_data(const struct scratch *s) {
    char path[192];
    snprintf(path, sizeof path, "%s/bin", s->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    /* stands in for the engine: drops its options */
    put_program(s, "bin/assay-engine", "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n",
                path);
}

static void collect(void *context, const char *text) {
    strcat(context, text);
}

NODE_TEST(life_of_a_node) {
    struct vnode_paths paths = {.tools = s->folder, .groups = GROUPS, .likwid_version = 50202};
    struct vnode *node;
    char error[512], folder[4096], path[4200], notes[256] = "";
    struct stat status;
    put_data(s);
    assert_int_equal(setenv("TMPDIR", s->folder, 1), 0);
    assert_int_equal(vnode_create("haswellEP-1x2", &paths, &node, error, sizeof error), 0);
    strcpy(folder, vnode_dir(node));
    assert_memory_equal(folder, s->folder, strlen(s->folder));
    assert_string_equal(vnode_name(node), "haswellEP-1x2");
    assert_string_equal(vnode_arch(node), "haswellEP");
    char *ok[] = {"sh", "-c", "test -f $ASSAY_NODE_DIR/node && test -f $ASSAY_NODE_DIR/likwid_topo.cfg && exit 3",
                  NULL};
    assert_int_equal(vnode_run(node, ok), 3);
    char *killed[] = {"sh", "-c", "kill -TERM $$", NULL};
    assert_int_equal(vnode_run(node, killed), 128 + 15);
    char *missing[] = {"no-such-program", NULL};
    assert_int_equal(vnode_run(node, missing), 127);
    char *folder_command[] = {s->folder, NULL};
    assert_int_equal(vnode_run(node, folder_command), 126);
    assert_int_equal(vnode_not_counted(node, collect, notes), 0);
    snprintf(path, sizeof path, "%s/notcounted", folder);
    put(path, "PMC2 0xc2:0x01 event is not modelled\n");
    assert_int_equal(vnode_not_counted(node, collect, notes), 1);
    assert_string_equal(notes, "PMC2 0xc2:0x01 event is not modelled");
    vnode_destroy(node);
    assert_int_equal(stat(folder, &status), -1);
}

NODE_TEST(prefetchers_of_a_node_have_their_names_in_likwid) {
    struct vnode_paths paths = {.tools = s->folder, .groups = GROUPS, .likwid_version = 50202};
    struct vnode *node;
    char error[512], text[128];
    put_data(s);
    assert_int_equal(setenv("TMPDIR", s->folder, 1), 0);
    put(s->path, "return { arch = 'haswellEP', prefetchers = { 'l2_adjacent', 'l1_stride' } }");
    assert_int_equal(vnode_create(s->path, &paths, &node, error, sizeof error), 0);
    assert_string_equal(vnode_prefetchers(node, text, sizeof text),
                        "HW_PREFETCHER off, CL_PREFETCHER on, DCU_PREFETCHER off, IP_PREFETCHER on");
    vnode_destroy(node);
    put(s->path, "return { arch = 'haswellEP' }");
    assert_int_equal(vnode_create(s->path, &paths, &node, error, sizeof error), 0);
    assert_null(vnode_prefetchers(node, text, sizeof text));
    assert_false(vnode_has_random_pages(node));
    vnode_destroy(node);
    put(s->path, "return { arch = 'haswellEP', pages = 'random' }");
    assert_int_equal(vnode_create(s->path, &paths, &node, error, sizeof error), 0);
    assert_true(vnode_has_random_pages(node));
    vnode_destroy(node);
}

NODE_TEST(faults_of_a_node) {
    struct vnode_paths paths = {.tools = s->folder, .groups = GROUPS, .likwid_version = 50202};
    struct vnode *node;
    struct vnode_faults *faults;
    char error[512], folder[4096];
    put_data(s);
    assert_int_equal(setenv("TMPDIR", s->folder, 1), 0);
    assert_int_equal(vnode_create("haswellEP-1x2", &paths, &node, error, sizeof error), 0);
    strcpy(folder, vnode_dir(node));
    const struct compiled *clean = compiled_map(folder, error, sizeof error);
    assert_int_equal(clean->faults.count, 0);
    assert_int_equal(clean->table.core.counters, 8);
    assert_int_equal(vnode_read_faults(node, "my.txt", "PMC0 scale 2\nNOTHING add 1\n", &faults, error, sizeof error),
                     -1);
    assert_ptr_equal(strstr(error, "my.txt:2: 'NOTHING'"), error);
    assert_null(faults);
    assert_int_equal(
        vnode_read_faults(node, "my.txt", " # one\nPMC0  jitter\t1 # all\n\n* seed 7", &faults, error, sizeof error),
        0);
    assert_string_equal(vnode_fault_lines(faults), "PMC0 jitter 1\n* seed 7\n");
    assert_int_equal(vnode_set_faults(node, faults, NULL, error, sizeof error), 0);
    const struct compiled *faulty = compiled_map(folder, error, sizeof error);
    assert_int_equal(faulty->faults.count, 1);
    assert_int_equal(faulty->faults.seed, 7);
    assert_int_equal(clean->faults.count, 0); /* existing mappings keep the old file */
    uint64_t seeds[2];
    for (int run = 0; run < 2; run++) {
        assert_int_equal(vnode_set_faults(node, faults, run ? "run 1" : "run 2", error, sizeof error), 0);
        const struct compiled *one = compiled_map(folder, error, sizeof error);
        seeds[run] = one->faults.seed;
        compiled_unmap(one);
    }
    assert_true(seeds[0] != seeds[1] && seeds[0] != 7 && seeds[1] != 7);
    compiled_unmap(clean);
    compiled_unmap(faulty);
    vnode_free_faults(faults);
    vnode_destroy(node);
}

/* The launcher reads the event table: an error in it is reported before any program runs. */
NODE_TEST(invalid_table_is_refused) {
    struct vnode_paths paths = {.tools = s->folder, .groups = s->folder, .likwid_version = 50202};
    struct vnode *node;
    char error[512], path[192];
    put_data(s);
    snprintf(path, sizeof path, "%s/haswellEP", s->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/haswellEP/machine.lua", s->folder);
    put(path, contents("groups/haswellEP/machine.lua"));
    snprintf(path, sizeof path, "%s/haswellEP/pmu.events", s->folder);
    put(path, "# one\ncolour 3\n");
    assert_int_equal(setenv("TMPDIR", s->folder, 1), 0);
    assert_int_equal(vnode_create("haswellEP-1x2", &paths, &node, error, sizeof error), -1);
    assert_non_null(strstr(error, "pmu.events:2: unknown kind of line 'colour'"));
}

NODE_TEST(node_that_cannot_be_created) {
    struct vnode_paths paths = {.tools = s->folder, .groups = GROUPS, .likwid_version = 50202};
    struct vnode *node;
    char error[512];
    put_data(s);
    assert_int_equal(vnode_create("unknown", &paths, &node, error, sizeof error), -1);
    assert_null(node);
    assert_non_null(strstr(error, "unknown"));
    assert_int_equal(setenv("TMPDIR", "/nonexistent", 1), 0);
    assert_int_equal(vnode_create("haswellEP-1x2", &paths, &node, error, sizeof error), -1);
    assert_non_null(strstr(error, "/nonexistent"));
    assert_int_equal(unsetenv("TMPDIR"), 0);
}
