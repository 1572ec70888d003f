/* node_desc_read.c - reads a virtual node's description.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "node_desc_read.h"

#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "lua_file.h"
#include "prefetchers.h"
#include "topology.h"
#include "vnode/sim/sim.h"

/* ---- node files ---- */

#define NODE(member) offsetof(struct node_desc, member)
#define CONFIG(member) NODE(config.member)
#define NUMBER(member, low, high)                                                                                      \
    { #member, FIELD_NUMBER32, CONFIG(member), 0, low, high, NULL, 1 }

/* Frames of pages. The index of a word is the seed. */
static const char *const page_words[] = {"ordered", "random", NULL};

/* `last_channels` if the file does not state it; else the number of channels, until all fields are read. */
static const uint32_t LAST_AS_OTHERS = UINT32_MAX;

static const char *const hbm_words[] = {[HBM_NONE] = "none", [HBM_FLAT] = "flat", NULL};

static const struct field node_fields[] = {
    {.name = "arch", .kind = FIELD_TEXT, .offset = NODE(arch), .size = sizeof((struct node_desc *)0)->arch},
    {.name = "cpu", .kind = FIELD_TEXT, .offset = NODE(cpu), .size = sizeof((struct node_desc *)0)->cpu, .optional = 1},
    {"signature", FIELD_NUMBER32, NODE(signature), 0, 1, UINT32_MAX, NULL, 1},
    {"memory_bytes", FIELD_NUMBER64, NODE(memory_bytes), 0, 1 << 20, UINT64_C(1) << 50, NULL, 1},
    {"clock_hz", FIELD_NUMBER64, CONFIG(clock_hz), 0, 1000000, UINT64_C(10000000000), NULL, 1},
    {"uncore_hz", FIELD_NUMBER64, CONFIG(uncore_hz), 0, 1000000, UINT64_C(10000000000), NULL, 1},
    NUMBER(sockets, 1, SIM_SOCKETS_MAX),
    NUMBER(cores_per_socket, 1, SIM_CORES_MAX),
    {"numa_domains", FIELD_NUMBER32, CONFIG(numa_per_socket), 0, 1, SIM_NUMA_MAX, NULL, 1},
    NUMBER(threads_per_core, 1, SIM_THREADS_MAX),
    NUMBER(line, 16, 4096),
    NUMBER(page, 1024, 1 << 30),
    NUMBER(large_page, 1024, 1 << 30),
    NUMBER(channels, 1, SIM_CHANNELS_MAX),
    {"last_channels", FIELD_NUMBER32, CONFIG(last_lacks), 0, 0, SIM_CHANNELS_MAX, NULL, 1}, /* see read_node() */
    {"hbm", FIELD_WORD, NODE(hbm), 0, 0, 0, hbm_words, 1},
    NUMBER(hbm_channels, 1, SIM_HBM_MAX),
    NUMBER(ranks, 0, SIM_RANKS_MAX),
    NUMBER(banks, 0, SIM_BANKS_MAX),
    NUMBER(dram_row, 0, 1 << 20),
    NUMBER(agents, 0, SIM_AGENTS_MAX),
    NUMBER(links, 1, SIM_LINKS_MAX),
    NUMBER(memory_latency, 0, 1000000),
    NUMBER(remote_latency, 0, 1000000),
    NUMBER(walk_latency, 0, 1000000),
    NUMBER(branch_penalty, 0, 1000000),
    NUMBER(instructions_per_cycle_x4, 1, 1024),
    NUMBER(evasion, 0, 64),
    {.name = "pipeline", .kind = FIELD_TRUTH, .offset = CONFIG(has_pipeline), .optional = 1},
    {.name = "ghost_boxes", .kind = FIELD_TRUTH, .offset = NODE(ghost_boxes), .optional = 1},
    {.name = "perf_kernel", .kind = FIELD_TRUTH, .offset = NODE(perf_kernel), .optional = 1},
    {"perf_event_paranoid", FIELD_NUMBER32, NODE(perf_paranoid), 0, 0, 3, NULL, 1},
    {"pages", FIELD_WORD, CONFIG(frames_seed), 0, 0, 0, page_words, 1},
    NUMBER(frames_seed, 1, UINT32_MAX), /* after `pages`: another drawing of random frames */
};

static const struct field cache_fields[] = {
    {"size", FIELD_NUMBER64, offsetof(struct sim_cache_config, size), 0, 1, UINT64_C(1) << 32, NULL, 1},
    {"ways", FIELD_NUMBER32, offsetof(struct sim_cache_config, ways), 0, 1, 64, NULL, 1},
    {"latency", FIELD_NUMBER32, offsetof(struct sim_cache_config, latency), 0, 0, 100000, NULL, 1},
};

static const struct field tlb_fields[] = {
    {"entries", FIELD_NUMBER32, offsetof(struct sim_tlb_config, entries), 0, 1, 1 << 20, NULL, 1},
    {"ways", FIELD_NUMBER32, offsetof(struct sim_tlb_config, ways), 0, 1, 64, NULL, 1},
};

enum { CACHE_FIELDS = sizeof cache_fields / sizeof *cache_fields, TLB_FIELDS = sizeof tlb_fields / sizeof *tlb_fields };

static const char *const part_names[] = {"l1i",  "l1d",  "l2",         "l3",          "dtlb",
                                         "itlb", "stlb", "dtlb_large", "prefetchers", NULL};

/* Reads the tables of caches and TLBs in a node file; the file's table is on top of the stack. */
static const char *read_parts(const struct lua_file *file, const struct lua_place *place, struct sim_config *config) {
    const struct {
        const struct field *fields;
        size_t count;
        void *out;
    } parts[] = {{cache_fields, CACHE_FIELDS, &config->l1i}, {cache_fields, CACHE_FIELDS, &config->l1d},
                 {cache_fields, CACHE_FIELDS, &config->l2},  {cache_fields, CACHE_FIELDS, &config->l3},
                 {tlb_fields, TLB_FIELDS, &config->dtlb},    {tlb_fields, TLB_FIELDS, &config->itlb},
                 {tlb_fields, TLB_FIELDS, &config->stlb},    {tlb_fields, TLB_FIELDS, &config->dtlb_large}};
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !wrong; i++) {
        struct lua_place part;
        int absent = lua_getfield(file->lua, -1, part_names[i]) == LUA_TNIL;
        lua_pop(file->lua, 1);
        if (absent)
            continue;
        if ((wrong = lua_file_table(file, place, part_names[i], &part)))
            break;
        wrong = lua_file_fields(file, &part, parts[i].fields, parts[i].count, NULL, parts[i].out);
        lua_pop(file->lua, 1);
    }
    return wrong;
}

static const char *hardware_error(const struct sim_config *config) {
    const char *wrong = sim_config_error(config);
    return wrong ? wrong : topology_error(config);
}

/* The simulator's message begins with the name of the wrong field. */
static const char *check_hardware(const struct lua_file *file, const struct lua_place *place,
                                  const struct sim_config *config) {
    char field[32];
    const char *wrong = hardware_error(config);
    if (!wrong)
        return NULL;
    snprintf(field, sizeof field, "%.*s", (int)strcspn(wrong, ":"), wrong);
    snprintf(file->error, file->error_size, "%s:%d: %s", file->path, lua_file_line_of(file, place, field), wrong);
    return file->error;
}

struct node_reading {
    const char *groups;
    struct node_desc *out;
};

/* The file's table is on top of the stack. */
static const char *read_arch(const struct lua_file *file, const struct lua_place *place, const char *groups,
                             struct arch *out) {
    char error[400], why[512];
    const char *name = lua_getfield(file->lua, -1, "arch") == LUA_TSTRING ? lua_tostring(file->lua, -1) : NULL;
    const char *wrong = name ? arch_read(groups, name, out, error, sizeof error) : NULL;
    snprintf(why, sizeof why, "%s%s", wrong ? "cannot be used: " : "must name an architecture", wrong ? wrong : "");
    lua_pop(file->lua, 1);
    return name && !wrong ? NULL : lua_file_complain(file, place, "arch", why);
}

/* Channels of high-bandwidth memory: those of the processor, unless the file states their number. */
static const char *give_hbm(const struct lua_file *file, const struct lua_place *place, const struct arch *arch,
                            struct node_desc *node) {
    if (node->hbm == HBM_NONE && node->config.hbm_channels)
        return lua_file_complain(file, place, "hbm_channels", "needs hbm = \"flat\"");
    if (node->hbm == HBM_NONE)
        return NULL;
    if (!arch->hbm_channels) {
        char why[96];
        snprintf(why, sizeof why, "needs a processor with such memory, which %.31s has not", node->arch);
        return lua_file_complain(file, place, "hbm", why);
    }
    if (!node->config.hbm_channels)
        node->config.hbm_channels = sim_part(arch->hbm_channels, arch->numa_per_socket);
    return NULL;
}

/* The file's table is on top of the stack. Reads the architecture first, then the changes to it. */
static const char *read_node(const struct lua_file *file, void *context) {
    const struct node_reading *reading = context;
    struct node_desc *out = reading->out;
    struct lua_place place = lua_file_place(file, NULL, 1);
    struct arch arch;
    const char *wrong = read_arch(file, &place, reading->groups, &arch);
    if (wrong)
        return wrong;
    *out = arch.node;
    out->config.last_lacks = LAST_AS_OTHERS;
    wrong = lua_file_fields(file, &place, node_fields, sizeof node_fields / sizeof *node_fields, part_names, out);
    if (!wrong)
        wrong = read_parts(file, &place, &out->config);
    if (!wrong)
        wrong = prefetchers_read(file, &place, &out->config.prefetchers);
    if (wrong)
        return wrong;
    if (out->perf_kernel)
        out->perf_paranoid = -1;
    struct sim_config *config = &out->config;
    config->last_lacks = config->last_lacks == LAST_AS_OTHERS ? 0 : config->channels - config->last_lacks;
    if (config->numa_per_socket)
        arch.numa_per_socket = config->numa_per_socket;
    arch_give_shape(&arch, (struct shape){config->sockets, config->cores_per_socket, sim_threads(config)}, out);
    wrong = give_hbm(file, &place, &arch, out);
    return wrong ? wrong : check_hardware(file, &place, &out->config);
}

static const char *read_file(const char *path, const char *groups, struct node_desc *out, char *error,
                             size_t error_size) {
    struct node_reading reading = {.groups = groups, .out = out};
    const char *slash = strrchr(path, '/');
    const char *wrong = lua_file_read(path, read_node, &reading, error, error_size);
    snprintf(out->name, sizeof out->name, "%s", slash ? slash + 1 : path);
    char *end = strrchr(out->name, '.');
    if (end)
        *end = '\0';
    return wrong;
}

/* ---- names ---- */

#define PIPELINE_SUFFIX "+pipeline" /* of the name of a node whose cores have pipelines */

static void name_node(struct node_desc *node) {
    const struct sim_config *config = &node->config;
    int length =
        snprintf(node->name, sizeof node->name, "%.30s-%ux%u", node->arch, config->sockets, config->cores_per_socket);
    if (sim_threads(config) > 1 && length > 0)
        length += snprintf(node->name + length, sizeof node->name - (size_t)length, "x%u", sim_threads(config));
    if (config->has_pipeline && length > 0)
        snprintf(node->name + length, sizeof node->name - (size_t)length, PIPELINE_SUFFIX);
}

/* Length of a name without the suffix for pipelines. */
static size_t length_before_suffix(const char *name) {
    size_t length = strlen(name), suffix = sizeof PIPELINE_SUFFIX - 1;
    return length >= suffix && strcmp(name + length - suffix, PIPELINE_SUFFIX) == 0 ? length - suffix : length;
}

/* Parses an architecture and, after the last '-', a shape; without it the default shape. */
static const char *read_name(const char *text, const char *groups, struct node_desc *out, char *error,
                             size_t error_size) {
    struct arch arch;
    struct shape shape;
    char name[sizeof out->name], arch_name[sizeof out->arch], shapes[200];
    snprintf(name, sizeof name, "%.*s", (int)length_before_suffix(text), text);
    const char *dash = strrchr(name, '-');
    int has_shape = dash && arch_shape_of(dash + 1, &shape) == 0;
    size_t length = has_shape ? (size_t)(dash - name) : strlen(name);
    snprintf(arch_name, sizeof arch_name, "%.*s", (int)(length < sizeof arch_name ? length : 0), name);
    const char *wrong = arch_read(groups, arch_name, &arch, error, error_size);
    if (wrong)
        return wrong;
    if (!has_shape)
        shape = arch.shape;
    if (!arch_allows(&arch, shape)) {
        arch_describe_shapes(&arch, shapes, sizeof shapes);
        snprintf(error, error_size, "%.60s: no such shape; %s", name, shapes);
        return error;
    }
    *out = arch.node;
    arch_give_shape(&arch, shape, out);
    out->config.has_pipeline = length_before_suffix(text) < strlen(text);
    name_node(out);
    if (!(wrong = hardware_error(&out->config)))
        return NULL;
    snprintf(error, error_size, "%.60s: cannot be simulated: %s", name, wrong);
    return error;
}

const char *node_desc_read(const char *name, const char *groups, struct node_desc *out, char *error,
                           size_t error_size) {
    char default_name[sizeof out->arch];
    memset(out, 0, sizeof *out);
    if (strchr(name, '/'))
        return read_file(name, groups, out, error, error_size);
    if (!*name) {
        const char *wrong = arch_default(groups, default_name, sizeof default_name, error, error_size);
        if (wrong)
            return wrong;
        name = default_name;
    }
    return read_name(name, groups, out, error, error_size);
}

int node_desc_shapes(const char *arch, const char *groups, struct node_shapes *out, char *error, size_t error_size) {
    struct arch read;
    if (arch_read(groups, arch, &read, error, error_size))
        return read.is_native ? 1 : -1;
    name_node(&read.node);
    snprintf(out->name, sizeof out->name, "%s", read.node.name);
    arch_describe_shapes(&read, out->text, sizeof out->text);
    return 0;
}
