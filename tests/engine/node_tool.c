/* node_tool.c - makes a small node file and prints its totals, for the engine's tests.
 *
 *   node_tool create DIR             a node of 1 socket and 4 cores in DIR/node
 *   node_tool totals DIR             NAME VALUE lines: sums over all cores of ended + live
 *   node_tool core DIR CORE          the same of one core
 *   node_tool slots DIR              number of slots in use
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vnode/node_file.h"

enum { KIB = 1024 };

static const struct sim_config small_node = {
    .sockets = 1,
    .cores_per_socket = 4,
    .domains_per_socket = 1,
    .numa_per_socket = 1,
    .line = 64,
    .page = 4 * KIB,
    .l1i = {32 * KIB, 8, 0},
    .l1d = {32 * KIB, 8, 0},
    .l2 = {256 * KIB, 8, 8},
    .l3 = {2560 * KIB, 20, 30},
    .slices = 4,
    .channels = 4,
    .agents = 1,
    .links = 1,
    .memory_latency = 200,
    .remote_latency = 300,
    .dtlb = {64, 4},
    .itlb = {128, 4},
    .stlb = {1024, 8},
    .walk_latency = 30,
    .branch_penalty = 15,
    .instructions_per_cycle_x4 = 8,
    .clock_hz = 2300000000,
    .uncore_hz = 2300000000,
};

/* The features of Valgrind's Haswell, so that C libraries choose the same code as on any node. */
static const uint32_t features[IDENTITY_WORDS] = {[IDENTITY_1_ECX] = 0x7ffafbff,
                                                  [IDENTITY_1_EDX] = 0xbfebfbff,
                                                  [IDENTITY_7_EBX] = 0x27aa,
                                                  [IDENTITY_EXTENDED_1_ECX] = 0x21,
                                                  [IDENTITY_EXTENDED_1_EDX] = 0x2c100800};

static const struct {
    const char *name;
    enum sim_core_count count;
} shown[] = {
    {"instructions", CORE_INSTRUCTIONS},
    {"loads", CORE_LOADS},
    {"stores", CORE_STORES},
    {"stores_nt", CORE_STORES_NT},
    {"loads_locked", CORE_LOADS_LOCKED},
    {"loads_split", CORE_LOADS_SPLIT},
    {"stores_split", CORE_STORES_SPLIT},
    {"avx_loads", CORE_AVX_LOADS},
    {"avx_stores", CORE_AVX_STORES},
    {"avx_calc", CORE_AVX_CALC},
    {"divider_uops", CORE_DIVIDER_UOPS},
    {"branches", CORE_BRANCHES},
    {"conditional", CORE_BRANCHES_CONDITIONAL},
    {"not_taken", CORE_BRANCHES_NOT_TAKEN},
    {"taken", CORE_BRANCHES_TAKEN},
    {"calls", CORE_BRANCHES_CALL},
    {"returns", CORE_BRANCHES_RETURN},
    {"indirect", CORE_BRANCHES_INDIRECT},
    {"hitm", CORE_LOAD_L3_HIT_SNOOP_HITM},
    {"avx_to_sse", CORE_AVX_TO_SSE},
    {"cycles", CORE_CYCLES},
};

static void fail(const char *what, const char *where) {
    fprintf(stderr, "node_tool: %s: %s: %s\n", where, what, strerror(errno));
    exit(1);
}

static struct node_file *map_node(const char *folder, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, NODE_FILE_NAME);
    int fd = open(path, flags, 0600);
    if (fd < 0)
        fail("cannot be opened", path);
    if ((flags & O_CREAT) && ftruncate(fd, sizeof(struct node_file)) != 0)
        fail("cannot be grown", path);
    struct node_file *node = mmap(NULL, sizeof *node, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (node == MAP_FAILED)
        fail("cannot be mapped", path);
    close(fd);
    return node;
}

static void create(const char *folder) {
    struct node_file *node = map_node(folder, O_RDWR | O_CREAT | O_TRUNC);
    node->version = NODE_VERSION;
    node->config = small_node;
    strcpy(node->name, "test-1x4");
    strcpy(node->arch, "haswellEP");
    node->likwid_version = 50202;
    node->cpu_signature = 0x306f2;
    node->vendor = IDENTITY_INTEL;
    node->physical_bits = 46;
    node->perfmon = (struct identity_perfmon){.version = 3, .counters = 8, .fixed = 3, .bits = 48};
    strcpy(node->cpu, "test");
    memcpy(node->features, features, sizeof features);
    node->memory_bytes = UINT64_C(1) << 32;
    node->magic = NODE_MAGIC;
}

static uint64_t total(const struct node_file *node, uint32_t core, enum sim_core_count count) {
    uint64_t sum = node->ended.core[core].total[count];
    for (int i = 0; i < NODE_SLOTS; i++)
        sum += node->slot[i].live.core[core].total[count];
    return sum;
}

static void print_totals(const struct node_file *node, uint32_t first, uint32_t last) {
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        uint64_t sum = 0;
        for (uint32_t core = first; core <= last; core++)
            sum += total(node, core, shown[i].count);
        printf("%s %llu\n", shown[i].name, (unsigned long long)sum);
    }
}

static int used_slots(const struct node_file *node) {
    int used = 0;
    for (int i = 0; i < NODE_SLOTS; i++)
        used += node->owner[i].pid != 0;
    return used;
}

int main(int count, char **arguments) {
    const char *command = count > 2 ? arguments[1] : "";
    if (strcmp(command, "create") == 0) {
        create(arguments[2]);
    } else if (strcmp(command, "totals") == 0) {
        print_totals(map_node(arguments[2], O_RDWR), 0, SIM_CORES_MAX - 1);
    } else if (strcmp(command, "core") == 0 && count == 4) {
        uint32_t core = (uint32_t)strtoul(arguments[3], NULL, 10) % SIM_CORES_MAX;
        print_totals(map_node(arguments[2], O_RDWR), core, core);
    } else if (strcmp(command, "slots") == 0) {
        printf("%d\n", used_slots(map_node(arguments[2], O_RDWR)));
    } else {
        fprintf(stderr, "usage: node_tool create|totals|slots DIR | core DIR CORE\n");
        return 2;
    }
    return 0;
}
