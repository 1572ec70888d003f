/* launch_machine.c - /proc and /sys of a node, its CPUID features, redirection of paths, removal of folders.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch_files.h"
#include "vnode/launch/features.h"
#include "vnode/launch/machine.h"
#include "vnode/launch/node_desc_read.h"
#include "vnode/launch/tree.h"
#include "vnode/node_path.h"

struct scratch {
    char folder[SCRATCH_BYTES];
    struct node_desc desc;
};

static int setup(void **state) {
    char error[256];
    struct scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    make_scratch(s->folder);
    assert_null(node_desc_read("haswellEP-2x4", GROUPS, &s->desc, error, sizeof error));
    *state = s;
    return 0;
}

#define MACHINE_TEST(name) TEST_WITH(name, struct scratch *s, setup, remove_scratch)

/* The contents of a file below the scratch folder, without the last newline. */
static const char *text_of(const struct scratch *s, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    char *text = contents(path);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    return text;
}

MACHINE_TEST(cores_and_sockets) {
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, "sys/devices/system/cpu/online"), "0-7");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/possible"), "0-7");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu6/topology/physical_package_id"), "1");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu6/topology/core_id"), "2");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu6/topology/package_cpus"), "f0");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu6/topology/package_cpus_list"), "4-7");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu6/topology/thread_siblings_list"), "6");
    assert_string_equal(text_of(s, "sys/bus/cpu/devices/cpu6/topology/core_cpus"), "40");
}

MACHINE_TEST(caches) {
    const struct sim_config *config = &s->desc.config;
    char size[32];
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu1/cache/index1/type"), "Instruction");
    snprintf(size, sizeof size, "%lluK", (unsigned long long)config->l3.size * config->slices / 1024);
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu1/cache/index3/size"), size);
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_map"), "f");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu1/cache/index2/shared_cpu_list"), "1");
}

/* Siblings are i and i + 8. */
MACHINE_TEST(hardware_threads) {
    s->desc.config.threads_per_core = 2;
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, "sys/devices/system/cpu/online"), "0-15");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/smt/active"), "1");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu9/topology/core_id"), "1");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu9/topology/thread_siblings_list"), "1,9");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu9/topology/thread_siblings"), "202");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu9/topology/package_cpus_list"), "0-3,8-11");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu1/cache/index2/shared_cpu_list"), "1,9");
    assert_string_equal(text_of(s, "sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_list"), "0-3,8-11");
    assert_string_equal(text_of(s, "sys/devices/system/node/node1/cpulist"), "4-7,12-15");
    assert_non_null(strstr(text_of(s, "proc/cpuinfo"), "\nsiblings\t: 8\ncore id\t\t: 0\ncpu cores\t: 4\n"));
}

MACHINE_TEST(memories) {
    char total[64];
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, "sys/devices/system/node/online"), "0-1");
    assert_string_equal(text_of(s, "sys/devices/system/node/node1/cpulist"), "4-7");
    assert_string_equal(text_of(s, "sys/devices/system/node/node1/distance"), "21 10");
    snprintf(total, sizeof total, "Node 1 MemTotal:       %8llu kB", (unsigned long long)s->desc.memory_bytes / 1024);
    assert_non_null(strstr(text_of(s, "sys/devices/system/node/node1/meminfo"), total));
    snprintf(total, sizeof total, "MemTotal:       %8llu kB", (unsigned long long)s->desc.memory_bytes * 2 / 1024);
    assert_ptr_equal(strstr(text_of(s, "proc/meminfo"), total), text_of(s, "proc/meminfo"));
}

MACHINE_TEST(socket_without_memory) {
    char total[64];
    s->desc.config.last_lacks = s->desc.config.channels;
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, "sys/devices/system/node/online"), "0-1");
    assert_string_equal(text_of(s, "sys/devices/system/node/has_memory"), "0");
    assert_string_equal(text_of(s, "sys/devices/system/node/has_cpu"), "0-1");
    assert_string_equal(text_of(s, "sys/devices/system/node/node1/cpulist"), "4-7");
    assert_string_equal(text_of(s, "sys/devices/system/node/node0/distance"), "10 21");
    assert_non_null(strstr(text_of(s, "sys/devices/system/node/node1/meminfo"), "Node 1 MemTotal:              0 kB"));
    snprintf(total, sizeof total, "MemTotal:       %8llu kB", (unsigned long long)s->desc.memory_bytes / 1024);
    assert_ptr_equal(strstr(text_of(s, "proc/meminfo"), total), text_of(s, "proc/meminfo"));
}

/* Memories 2 and 3 have no CPUs; distances as numactl shows those of a Xeon Max in flat mode. */
MACHINE_TEST(memories_without_cores) {
    char total[64];
    s->desc.config.hbm_channels = 32;
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, "sys/devices/system/node/online"), "0-3");
    assert_string_equal(text_of(s, "sys/devices/system/node/has_memory"), "0-3");
    assert_string_equal(text_of(s, "sys/devices/system/node/has_cpu"), "0-1");
    assert_string_equal(text_of(s, "sys/devices/system/node/node1/cpulist"), "4-7");
    assert_string_equal(text_of(s, "sys/devices/system/node/node3/cpulist"), "");
    assert_string_equal(text_of(s, "sys/devices/system/node/node3/cpumap"), "0");
    assert_string_equal(text_of(s, "sys/devices/system/node/node0/distance"), "10 21 13 23");
    assert_string_equal(text_of(s, "sys/devices/system/node/node3/distance"), "23 13 23 10");
    snprintf(total, sizeof total, "MemTotal:       %8llu kB", (unsigned long long)s->desc.memory_bytes * 4 / 1024);
    assert_ptr_equal(strstr(text_of(s, "proc/meminfo"), total), text_of(s, "proc/meminfo"));
}

static const char large_pages[] = "sys/kernel/mm/transparent_hugepage/enabled";

MACHINE_TEST(large_pages_for_who_advises_them) {
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, large_pages), "always [madvise] never");
}

MACHINE_TEST(no_large_pages) {
    s->desc.config.large_page = 0;
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    assert_string_equal(text_of(s, large_pages), "always madvise [never]");
}

MACHINE_TEST(processors) {
    char line[256];
    int count = 0;
    assert_int_equal(machine_write(&s->desc, s->folder), 0);
    snprintf(line, sizeof line, "\nmodel name\t: %s\n", s->desc.cpu);
    for (const char *at = text_of(s, "proc/cpuinfo"); (at = strstr(at, line)); at++)
        count++;
    assert_int_equal(count, 8);
}

/* A socket's APIC numbers start at a multiple of a power of two. */
MACHINE_TEST(apic_numbers) {
    s->desc.config.cores_per_socket = 6;
    assert_int_equal(identity_socket_bits(&s->desc.config), 3);
    assert_int_equal(identity_apic(&s->desc.config, 5), 5);
    assert_int_equal(identity_apic(&s->desc.config, 6), 8);
}

MACHINE_TEST(no_instruction_set_that_the_engine_lacks) {
    uint32_t words[IDENTITY_WORDS];
    const uint32_t avx512f = UINT32_C(1) << 16, rdseed = UINT32_C(1) << 18;
    features_of_node(&s->desc, words);
    assert_int_equal(words[IDENTITY_7_EBX] & (avx512f | rdseed), 0);
    assert_int_not_equal(words[IDENTITY_EXTENDED_1_EDX] & UINT32_C(1) << 29, 0); /* 64 bits */
}

MACHINE_TEST(a_failure_is_told) {
    char path[256];
    snprintf(path, sizeof path, "%s/sys", s->folder);
    assert_int_equal(symlink("/nonexistent", path), 0);
    assert_int_equal(machine_write(&s->desc, s->folder), -1);
    assert_int_equal(machine_write(&s->desc, "/nonexistent"), -1);
}

MACHINE_TEST(removal_follows_no_link) {
    struct stat status;
    struct tree tree = {open(s->folder, O_RDONLY | O_DIRECTORY), 0};
    char outside[256];
    snprintf(outside, sizeof outside, "%s/kept/file", s->folder);
    tree_line(&tree, "kept/file", "%s", "kept");
    tree_line(&tree, "gone/a/b/c", "%s", "gone");
    tree_link(&tree, "gone/a/link", "../../kept");
    tree_link(&tree, "gone/dangling", "nothing");
    tree_link(&tree, "gone/file", outside);
    assert_int_equal(tree.error, 0);
    assert_int_equal(tree_remove(tree.root, "gone"), 0);
    assert_int_equal(fstatat(tree.root, "gone", &status, 0), -1);
    assert_int_equal(fstatat(tree.root, "kept/file", &status, 0), 0);
    assert_int_equal(tree_remove(tree.root, "never"), -1);
    close(tree.root);
}

MACHINE_TEST(paths_of_the_node) {
    static const struct {
        const char *base, *path, *found; /* NULL: on the host */
    } rows[] = {
        {"", "/proc/cpuinfo", "/N/proc/cpuinfo"},
        {"", "//proc/./cpuinfo", "/N/proc/cpuinfo"},
        {"", "/sys/devices/system/cpu", "/N/sys/devices/system/cpu"},
        {"", "/sys/devices/system/cpu/cpu0/../online", "/N/sys/devices/system/cpu/online"},
        {"", "/tmp/../sys/devices/system/node/", "/N/sys/devices/system/node"},
        {"/", "sys/devices/system/node/online", "/N/sys/devices/system/node/online"},
        {"/sys/devices", "system/cpu/online", "/N/sys/devices/system/cpu/online"},
        {"/proc", "cpuinfo", "/N/proc/cpuinfo"},
        {"/home", "proc/cpuinfo", NULL},
        {"", "/proc/cpuinfo2", NULL},
        {"", "/sys/devices/system/cpufreq", NULL},
        {"", "/sys/devices/system", NULL},
        {"", "/proc/self/maps", NULL},
        {"", "/../../..", NULL},
    };
    char out[NODE_PATH_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int found = node_path_may_be(rows[i].path) && node_path_redirect("/N", rows[i].base, rows[i].path, out);
        if (found != (rows[i].found != NULL))
            fail_msg("%s seen from '%s'", rows[i].path, rows[i].base);
        if (found)
            assert_string_equal(out, rows[i].found);
    }
}

MACHINE_TEST(long_paths_stay) {
    char path[2 * NODE_PATH_MAX], out[NODE_PATH_MAX];
    strcpy(path, "/sys/devices/system/cpu/");
    memset(path + strlen(path), 'x', sizeof path - strlen(path));
    path[NODE_PATH_MAX - 3] = '\0'; /* fits, but not with the node's folder in front */
    assert_int_equal(node_path_redirect("/node", "", path, out), 0);
    path[NODE_PATH_MAX - 3] = 'x';
    path[sizeof path - 1] = '\0';
    assert_int_equal(node_path_redirect("/node", "", path, out), 0);
}
