/* arch.c - reads groups/ARCH/machine.lua for the launcher.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "arch.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "features.h"
#include "likwid_version.h"
#include "lua_file.h"
#include "vnode/node_file.h"
#include "vnode/sim/sim.h"

/* ---- the processor ---- */

#define AT(member) offsetof(struct arch, member)
#define NODE(member) AT(node.member)
#define CONFIG(member) AT(node.config.member)

static const char *const vendors[] = {[IDENTITY_INTEL] = "GenuineIntel", [IDENTITY_AMD] = "AuthenticAMD", NULL};

static const struct field processor_fields[] = {
    {.name = "vendor", .kind = FIELD_WORD, .offset = NODE(vendor), .words = vendors},
    {.name = "cpu", .kind = FIELD_TEXT, .offset = NODE(cpu), .size = sizeof((struct node_desc *)0)->cpu},
    {"signature", FIELD_NUMBER32, NODE(signature), 0, 1, UINT32_MAX, NULL, 0},
    {"physical_bits", FIELD_NUMBER32, NODE(physical_bits), 0, 32, 52, NULL, 0},
    {"page", FIELD_NUMBER32, CONFIG(page), 0, 1024, 1 << 30, NULL, 0},
    {"large_page", FIELD_NUMBER32, CONFIG(large_page), 0, 1024, 1 << 30, NULL, 1},
    {"line", FIELD_NUMBER32, CONFIG(line), 0, 16, 4096, NULL, 0},
    {"clock_hz", FIELD_NUMBER64, CONFIG(clock_hz), 0, 1000000, UINT64_C(10000000000), NULL, 0},
    {"uncore_hz", FIELD_NUMBER64, CONFIG(uncore_hz), 0, 1000000, UINT64_C(10000000000), NULL, 0},
    {"instructions_per_cycle_x4", FIELD_NUMBER32, CONFIG(instructions_per_cycle_x4), 0, 1, 1024, NULL, 0},
    {"branch_penalty", FIELD_NUMBER32, CONFIG(branch_penalty), 0, 0, 1000000, NULL, 0},
    {"walk_latency", FIELD_NUMBER32, CONFIG(walk_latency), 0, 0, 1000000, NULL, 0},
    {"memory_bytes", FIELD_NUMBER64, NODE(memory_bytes), 0, 1 << 20, UINT64_C(1) << 50, NULL, 0},
    {"channels", FIELD_NUMBER32, CONFIG(channels), 0, 1, SIM_CHANNELS_MAX, NULL, 0},
    {"hbm_channels", FIELD_NUMBER32, AT(hbm_channels), 0, 1, SIM_HBM_MAX, NULL, 1},
    {"ranks", FIELD_NUMBER32, CONFIG(ranks), 0, 1, SIM_RANKS_MAX, NULL, 1},
    {"banks", FIELD_NUMBER32, CONFIG(banks), 0, 1, SIM_BANKS_MAX, NULL, 1},
    {"dram_row", FIELD_NUMBER32, CONFIG(dram_row), 0, 64, 1 << 20, NULL, 1},
    {"home_agents", FIELD_NUMBER32, CONFIG(agents), 0, 0, SIM_AGENTS_MAX, NULL, 0},
    {"memory_latency", FIELD_NUMBER32, CONFIG(memory_latency), 0, 0, 1000000, NULL, 0},
    {"remote_latency", FIELD_NUMBER32, CONFIG(remote_latency), 0, 0, 1000000, NULL, 0},
    {"links", FIELD_NUMBER32, CONFIG(links), 0, 1, SIM_LINKS_MAX, NULL, 0},
    {"numa_domains", FIELD_NUMBER32, AT(numa_per_socket), 0, 1, SIM_NUMA_MAX, NULL, 1},
    {"max_cores", FIELD_NUMBER32, AT(max_cores), 0, 1, SIM_CORES_MAX, NULL, 0},
    {"max_threads", FIELD_NUMBER32, AT(max_threads), 0, 1, SIM_THREADS_MAX, NULL, 1},
    {.name = "default", .kind = FIELD_TRUTH, .offset = AT(is_default), .optional = 1},
};

static const struct field perfmon_fields[] = {
    {"version", FIELD_NUMBER32, NODE(perfmon.version), 0, 1, 255, NULL, 0},
    {"counters", FIELD_NUMBER32, NODE(perfmon.counters), 0, 1, 255, NULL, 0},
    {"counters_smt", FIELD_NUMBER32, AT(smt_counters), 0, 1, 255, NULL, 1},
    {"fixed", FIELD_NUMBER32, NODE(perfmon.fixed), 0, 0, 31, NULL, 0},
    {"bits", FIELD_NUMBER32, NODE(perfmon.bits), 0, 32, 64, NULL, 0},
};

static const struct field perfmon2_fields[] = {
    {"core", FIELD_NUMBER32, NODE(perfmon2.core), 0, 1, 15, NULL, 0},
    {"fabric", FIELD_NUMBER32, NODE(perfmon2.fabric), 0, 1, 63, NULL, 0},
    {"channel", FIELD_NUMBER32, NODE(perfmon2.channel), 0, 0, 5, NULL, 0},
};

static const struct field tlb_fields[] = {
    {"entries", FIELD_NUMBER32, offsetof(struct sim_tlb_config, entries), 0, 1, 1 << 20, NULL, 0},
    {"ways", FIELD_NUMBER32, offsetof(struct sim_tlb_config, ways), 0, 1, 72, NULL, 0},
};

#define PIPELINE(member) offsetof(struct sim_pipeline_config, member)
#define CYCLES(name, member)                                                                                           \
    { name, FIELD_NUMBER32, PIPELINE(member), 0, 1, 1000, NULL, 0 }
#define UNITS(name, unit)                                                                                              \
    { name, FIELD_NUMBER32, PIPELINE(units[unit]), 0, 1, 8, NULL, 0 }

static const struct field pipeline_fields[] = {
    {"width", FIELD_NUMBER32, PIPELINE(width), 0, 1, 8, NULL, 0},
    {"window", FIELD_NUMBER32, PIPELINE(window), 0, 1, 4096, NULL, 0},
    CYCLES("divide", divide),
    CYCLES("fp_divide", fp_divide),
};

static const struct field latency_fields[] = {
    CYCLES("load", load),
    CYCLES("alu", latency[SIM_OPERATION_ALU]),
    CYCLES("multiply", latency[SIM_OPERATION_MULTIPLY]),
    CYCLES("divide", latency[SIM_OPERATION_DIVIDE]),
    CYCLES("vector", latency[SIM_OPERATION_VECTOR]),
    CYCLES("convert", latency[SIM_OPERATION_CONVERT]),
    CYCLES("fp_add", latency[SIM_OPERATION_FP_ADD]),
    CYCLES("fp_multiply", latency[SIM_OPERATION_FP_MULTIPLY]),
    CYCLES("fp_fused", latency[SIM_OPERATION_FP_FUSED]),
    CYCLES("fp_divide", latency[SIM_OPERATION_FP_DIVIDE]),
};

static const struct field unit_fields[] = {
    UNITS("load", SIM_UNIT_LOAD),
    UNITS("store", SIM_UNIT_STORE),
    UNITS("branch", SIM_UNIT_BRANCH),
    UNITS("compute", SIM_UNIT_COMPUTE),
    UNITS("multiply", SIM_UNIT_MULTIPLY),
    UNITS("vector", SIM_UNIT_VECTOR),
    UNITS("fp", SIM_UNIT_FP),
    UNITS("fp_add", SIM_UNIT_FP_ADD),
    UNITS("fp_multiply", SIM_UNIT_FP_MULTIPLY),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The processor's table is on top of the stack, here and below. */
static const char *read_tlbs(const struct lua_file *file, const struct lua_place *place, struct sim_config *config) {
    static const char *const names[] = {"dtlb", "itlb", "stlb", "dtlb_large"};
    struct sim_tlb_config *const tlbs[] = {&config->dtlb, &config->itlb, &config->stlb, &config->dtlb_large};
    const char *wrong = NULL;
    for (size_t i = 0; i < COUNT(names) && !wrong; i++) {
        struct lua_place tlb;
        int absent = lua_getfield(file->lua, -1, names[i]) == LUA_TNIL;
        lua_pop(file->lua, 1);
        if (absent && tlbs[i] == &config->dtlb_large)
            continue; /* dtlb holds large pages */
        if ((wrong = lua_file_table(file, place, names[i], &tlb)))
            break;
        wrong = lua_file_fields(file, &tlb, tlb_fields, COUNT(tlb_fields), NULL, tlbs[i]);
        lua_pop(file->lua, 1);
    }
    return wrong;
}

static int has_field(const struct lua_file *file, const char *name) {
    int type = lua_getfield(file->lua, -1, name);
    lua_pop(file->lua, 1);
    return type != LUA_TNIL;
}

static const char *read_table(const struct lua_file *file, const struct lua_place *place, const char *name,
                              const struct field *fields, size_t count, void *out) {
    struct lua_place table;
    const char *wrong = lua_file_table(file, place, name, &table);
    if (wrong)
        return wrong;
    wrong = lua_file_fields(file, &table, fields, count, NULL, out);
    lua_pop(file->lua, 1);
    return wrong;
}

/* Optional: without it no node has a pipeline. */
static const char *read_pipeline(const struct lua_file *file, const struct lua_place *place,
                                 struct sim_pipeline_config *out) {
    static const char *const others[] = {"latency", "units", NULL};
    struct lua_place table;
    if (!has_field(file, "pipeline"))
        return NULL;
    const char *wrong = lua_file_table(file, place, "pipeline", &table);
    if (wrong)
        return wrong;
    wrong = lua_file_fields(file, &table, pipeline_fields, COUNT(pipeline_fields), others, out);
    if (!wrong)
        wrong = read_table(file, &table, "latency", latency_fields, COUNT(latency_fields), out);
    if (!wrong)
        wrong = read_table(file, &table, "units", unit_fields, COUNT(unit_fields), out);
    out->units[SIM_UNIT_DIVIDER] = 1;
    lua_pop(file->lua, 1);
    return wrong;
}

/* Each of the two leaves is one vendor's. */
static const char *read_perfmon(const struct lua_file *file, const struct lua_place *place, struct arch *out) {
    if (has_field(file, "perfmon"))
        return read_table(file, place, "perfmon", perfmon_fields, COUNT(perfmon_fields), out);
    if (out->node.vendor == IDENTITY_INTEL)
        return lua_file_complain(file, place, "perfmon", "is missing");
    if (has_field(file, "perfmon2"))
        return read_table(file, place, "perfmon2", perfmon2_fields, COUNT(perfmon2_fields), out);
    return NULL;
}

static const char *read_without(const struct lua_file *file, const struct lua_place *place, struct arch *out) {
    const char *wrong = NULL;
    if (lua_getfield(file->lua, -1, "without") == LUA_TTABLE) {
        lua_Unsigned length = lua_rawlen(file->lua, -1);
        for (lua_Unsigned i = 1; i <= length && !wrong; i++) {
            int is_text = lua_rawgeti(file->lua, -1, (lua_Integer)i) == LUA_TSTRING;
            if (!is_text || features_add(lua_tostring(file->lua, -1), out->node.without) != 0)
                wrong = lua_file_complain(file, place, "without", "names an instruction set that is not known");
            lua_pop(file->lua, 1);
        }
    } else if (!lua_isnil(file->lua, -1)) {
        wrong = lua_file_complain(file, place, "without", "must be a table");
    }
    lua_pop(file->lua, 1);
    return wrong;
}

static const char *read_sockets(const struct lua_file *file, const struct lua_place *place, struct arch *out) {
    struct lua_place list;
    const char *wrong = lua_file_table(file, place, "sockets", &list);
    if (wrong)
        return wrong;
    lua_Unsigned length = lua_rawlen(file->lua, -1);
    int good = length >= 1 && length <= SIM_SOCKETS_MAX;
    for (lua_Unsigned i = 0; i < length && good; i++) {
        lua_rawgeti(file->lua, -1, (lua_Integer)i + 1);
        lua_Integer number = lua_isinteger(file->lua, -1) ? lua_tointeger(file->lua, -1) : 0;
        lua_pop(file->lua, 1);
        good = number >= 1 && number <= SIM_SOCKETS_MAX;
        out->sockets[i] = (uint32_t)number;
    }
    if (!good)
        wrong = lua_file_complain(file, place, "sockets", "must be a list of allowed numbers, each 1 to 4");
    lua_pop(file->lua, 1);
    return wrong;
}

/* Call after max_cores, max_threads and sockets were read. */
static const char *read_default_shape(const struct lua_file *file, const struct lua_place *place, struct arch *out) {
    const char *text = lua_getfield(file->lua, -1, "shape") == LUA_TSTRING ? lua_tostring(file->lua, -1) : "";
    int good = arch_shape_of(text, &out->shape) == 0 && arch_allows(out, out->shape);
    lua_pop(file->lua, 1);
    return good ? NULL
                : lua_file_complain(file, place, "shape", "must be \"SxC\", allowed numbers of sockets and cores");
}

static const char *read_processor(const struct lua_file *file, const struct lua_place *place, struct arch *out) {
    static const char *const others[] = {"without",    "perfmon", "perfmon2", "dtlb",     "itlb", "stlb",
                                         "dtlb_large", "shape",   "sockets",  "pipeline", NULL};
    const char *wrong = lua_file_fields(file, place, processor_fields, COUNT(processor_fields), others, out);
    if (!wrong)
        wrong = read_perfmon(file, place, out);
    if (!wrong)
        wrong = read_without(file, place, out);
    if (!wrong)
        wrong = read_tlbs(file, place, &out->node.config);
    if (!wrong)
        wrong = read_pipeline(file, place, &out->node.config.pipeline);
    if (!wrong)
        wrong = read_sockets(file, place, out);
    return wrong ? wrong : read_default_shape(file, place, out);
}

/* ---- the levels ---- */

enum level_kind { UNIFIED, DATA, INSTRUCTIONS };

struct level {
    char name[16], load_from[16], store_to[16], victims_to[16];
    uint32_t kind;
    struct sim_cache_config cache;
    uint32_t slices, cores; /* 0: one per core, all of a socket */
    uint32_t write_allocate, write_back, inclusive;
    uint32_t protocol, directory;
    struct sim_filter_config filter;
};

enum { NONE = -1 }; /* optional word */
static const char *const kinds[] = {"", "data", "instructions", NULL};
static const char *const protocols[] = {[SIM_MESIF] = "MESIF", [SIM_MOESI] = "MOESI", NULL};
static const char *const directories[] = {
    [SIM_DIRECTORY_INCLUSIVE] = "inclusive",
    [SIM_SNOOP_FILTER] = "snoop_filter",
    [SIM_SHADOW_TAGS] = "shadow_tags",
    NULL,
};
static const char *const per_core[] = {"core", NULL}, *const per_socket[] = {"socket", NULL};

#define OF(member) offsetof(struct level, member)
#define NAME_FIELD(member, is_optional)                                                                                \
    { .name = #member, .kind = FIELD_TEXT, .offset = OF(member), .size = 16, .optional = is_optional }
#define TRUTH_FIELD(member)                                                                                            \
    { .name = #member, .kind = FIELD_TRUTH, .offset = OF(member), .optional = 1 }

static const struct field level_fields[] = {
    NAME_FIELD(name, 0),
    NAME_FIELD(load_from, 1),
    NAME_FIELD(store_to, 1),
    NAME_FIELD(victims_to, 1),
    TRUTH_FIELD(write_allocate),
    TRUTH_FIELD(write_back),
    TRUTH_FIELD(inclusive),
    {.name = "kind", .kind = FIELD_WORD, .offset = OF(kind), .words = kinds, .optional = 1},
    {"size", FIELD_NUMBER64, OF(cache.size), 0, 1, UINT64_C(1) << 32, NULL, 0},
    {"ways", FIELD_NUMBER32, OF(cache.ways), 0, 1, 64, NULL, 0},
    {"latency", FIELD_NUMBER32, OF(cache.latency), 0, 0, 100000, NULL, 0},
    {"slices", FIELD_NUMBER32, OF(slices), 0, 1, SIM_SLICES_MAX, per_core, 1},
    {"cores", FIELD_NUMBER32, OF(cores), 0, 1, SIM_CORES_MAX, per_socket, 0},
    {.name = "protocol", .kind = FIELD_WORD, .offset = OF(protocol), .words = protocols, .optional = 1},
    {.name = "directory", .kind = FIELD_WORD, .offset = OF(directory), .words = directories, .optional = 1},
};

static const struct field filter_fields[] = {
    {"entries", FIELD_NUMBER32, offsetof(struct sim_filter_config, entries), 0, 1, 1 << 24, NULL, 0},
    {"ways", FIELD_NUMBER32, offsetof(struct sim_filter_config, ways), 0, 1, 64, NULL, 0},
};

/* The level's table is on top of the stack. */
static const char *read_level(const struct lua_file *file, const struct lua_place *place, struct level *out) {
    static const char *const others[] = {"snoop_filter", NULL};
    struct lua_place filter;
    *out = (struct level){.slices = 1, .protocol = (uint32_t)NONE, .directory = (uint32_t)NONE};
    const char *wrong = lua_file_fields(file, place, level_fields, COUNT(level_fields), others, out);
    if (wrong || out->directory != SIM_SNOOP_FILTER)
        return wrong;
    if ((wrong = lua_file_table(file, place, "snoop_filter", &filter)))
        return wrong;
    wrong = lua_file_fields(file, &filter, filter_fields, COUNT(filter_fields), NULL, &out->filter);
    lua_pop(file->lua, 1);
    return wrong;
}

/* The simulator's levels: L1I, L1D and L2 of each core, and a last level. */
enum { L1I, L1D, L2, LAST, PARTS };

static int part_of(const struct level *level) {
    static const struct {
        const char *name;
        uint32_t kind;
    } parts[PARTS] = {{"L1I", INSTRUCTIONS}, {"L1", DATA}, {"L2", UNIFIED}, {"L3", UNIFIED}};
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, level->name) == 0 && parts[i].kind == level->kind)
            return i;
    return -1;
}

/* Checks the data flow between levels against what the simulator supports. */
static const char *wrong_flow(const struct level levels[PARTS]) {
    const struct level *last = &levels[LAST];
    int is_victim = !*last->load_from;
    if (levels[L1I].cores != 1 || levels[L1D].cores != 1 || levels[L2].cores != 1 || levels[L1I].slices != 1 ||
        levels[L1D].slices != 1 || levels[L2].slices != 1)
        return "L1I, L1 and L2 must be of one core and one slice each";
    if (is_victim == (int)last->inclusive)
        return is_victim ? "L3 has no load_from, so victims fill it: inclusive must not be true"
                         : "L3 loads from memory: inclusive must be true";
    if (is_victim != (strcmp(levels[L2].victims_to, last->name) == 0))
        return is_victim ? "L3 has no load_from: L2's victims_to must name it"
                         : "L3 has load_from: L2 has no victims_to";
    if (last->protocol == (uint32_t)NONE || last->directory == (uint32_t)NONE)
        return "L3 must say its protocol and directory";
    if ((last->directory == SIM_DIRECTORY_INCLUSIVE) == is_victim)
        return is_victim ? "L3 holds only victims: its directory must be snoop_filter or shadow_tags"
                         : "L3 is inclusive: so is its directory";
    return NULL;
}

static void take_levels(const struct level levels[PARTS], struct arch *out) {
    struct sim_config *config = &out->node.config;
    const struct level *last = &levels[LAST];
    config->l1i = levels[L1I].cache;
    config->l1d = levels[L1D].cache;
    config->l2 = levels[L2].cache;
    config->l3 = last->cache;
    config->inclusion = *last->load_from ? SIM_INCLUSIVE : SIM_VICTIM;
    config->protocol = last->protocol;
    config->directory = last->directory;
    config->filter = last->filter;
    out->domain_cores = last->cores;
    out->slices = last->slices;
}

/* The list of levels is on top of the stack. */
static const char *read_levels(const struct lua_file *file, const struct lua_place *place, struct arch *out) {
    static const char *const names[PARTS] = {"level 1", "level 2", "level 3", "level 4"};
    struct level levels[PARTS], level;
    int seen[PARTS] = {0};
    if (lua_rawlen(file->lua, -1) != PARTS)
        return lua_file_complain(file, place, "", "must be L1I, L1, L2 and L3: others cannot be simulated");
    for (int i = 0; i < PARTS; i++) {
        if (lua_rawgeti(file->lua, -1, i + 1) != LUA_TTABLE)
            return lua_file_complain(file, place, "", "must be a list of level { .. }");
        struct lua_place here = lua_file_place(file, names[i], place->line);
        const char *wrong = read_level(file, &here, &level);
        lua_pop(file->lua, 1);
        if (wrong)
            return wrong;
        int part = part_of(&level);
        if (part < 0 || seen[part])
            return lua_file_complain(file, &here, "name", "must be L1I (instructions), L1 (data), L2 or L3, once each");
        seen[part] = 1;
        levels[part] = level;
    }
    const char *wrong = wrong_flow(levels);
    if (wrong)
        return lua_file_complain(file, place, "", wrong);
    take_levels(levels, out);
    return NULL;
}

/* ---- the file ---- */

/* Whether the list on top of the stack has the text. */
static int has_text(lua_State *lua, const char *text) {
    int found = 0;
    for (lua_Unsigned i = 1; lua_istable(lua, -1) && i <= lua_rawlen(lua, -1) && !found; i++) {
        found = lua_rawgeti(lua, -1, (lua_Integer)i) == LUA_TSTRING && strcmp(lua_tostring(lua, -1), text) == 0;
        lua_pop(lua, 1);
    }
    return found;
}

/* `since` of the entry of `versions` that names the architecture. The host program checks these entries. */
static void read_version(lua_State *lua, struct node_desc *node) {
    lua_getfield(lua, -1, "versions");
    for (lua_Unsigned i = 1; lua_istable(lua, -1) && i <= lua_rawlen(lua, -1); i++) {
        if (lua_rawgeti(lua, -1, (lua_Integer)i) == LUA_TTABLE) {
            lua_getfield(lua, -1, "names");
            int is_own = has_text(lua, node->arch);
            lua_pop(lua, 1);
            if (lua_getfield(lua, -1, "since") == LUA_TSTRING && is_own)
                node->likwid = likwid_version_number(lua_tostring(lua, -1));
            lua_pop(lua, 1);
        }
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

/* The file's table is on top of the stack; fields of other programs are ignored. */
static const char *read_machine(const struct lua_file *file, void *out) {
    struct arch *arch = out;
    struct lua_place machine = lua_file_place(file, NULL, 1), part;
    if ((arch->is_native = !has_field(file, "processor"))) {
        snprintf(
            file->error, file->error_size,
            "%.31s: native stage: %.200s has no processor to simulate; measure it on such a machine (--node native)",
            arch->node.arch, file->path);
        return file->error;
    }
    const char *wrong = lua_file_table(file, &machine, "processor", &part);
    if (wrong)
        return wrong;
    wrong = read_processor(file, &part, arch);
    lua_pop(file->lua, 1);
    read_version(file->lua, &arch->node);
    if (wrong || (wrong = lua_file_table(file, &machine, "levels", &part)))
        return wrong;
    wrong = read_levels(file, &part, arch);
    lua_pop(file->lua, 1);
    if (wrong)
        return wrong;
    /* checks only the default shape: an error of another shape concerns only that shape */
    arch_give_shape(arch, arch->shape, &arch->node);
    wrong = sim_config_error(&arch->node.config);
    if (wrong)
        snprintf(file->error, file->error_size, "%s:%d: %s", file->path, part.line, wrong);
    return wrong ? file->error : NULL;
}

const char *arch_read(const char *groups, const char *name, struct arch *out, char *error, size_t error_size) {
    char path[PATH_MAX];
    *out = (struct arch){.numa_per_socket = 1, .max_threads = 1, .node.perf_paranoid = PERF_PARANOID_CPUS};
    if (strlen(name) >= sizeof out->node.arch || !*name || strpbrk(name, "/\n") || *name == '.') {
        snprintf(error, error_size, "%.100s: cannot be an architecture's name", name);
        return error;
    }
    strcpy(out->node.arch, name);
    snprintf(path, sizeof path, "%s/%s/machine.lua", groups, name);
    if (access(path, R_OK) != 0) {
        snprintf(error, error_size, "%s: no such architecture (no %s)", name, path);
        return error;
    }
    return lua_file_read(path, read_machine, out, error, error_size);
}

static int has_machine(const char *groups, const char *name) {
    char path[PATH_MAX];
    return *name != '.' && snprintf(path, sizeof path, "%s/%s/machine.lua", groups, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

/* Tries the architectures by name order. Skips those at native stage and unreadable ones; if no other is the default,
 * their error is returned. */
const char *arch_default(const char *groups, char *name, size_t size, char *error, size_t error_size) {
    char unread[1024], first_unread[1024] = "";
    struct dirent **entries = NULL;
    struct arch arch;
    int found = 0, count = scandir(groups, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *entry = entries[i]->d_name;
        if (!found && has_machine(groups, entry)) {
            if (arch_read(groups, entry, &arch, unread, sizeof unread) == NULL)
                found = arch.is_default && snprintf(name, size, "%s", entry) > 0;
            else if (!arch.is_native && !*first_unread)
                memcpy(first_unread, unread, sizeof unread);
        }
        free(entries[i]);
    }
    free(entries);
    if (found)
        return NULL;
    if (*first_unread)
        snprintf(error, error_size, "%s", first_unread);
    else
        snprintf(error, error_size, "%s: no architecture is the default one; name a node, ARCH-SxC", groups);
    return error;
}

/* ---- shapes ---- */

int arch_shape_of(const char *text, struct shape *out) {
    enum { NUMBER_MAX = 9999 };
    uint32_t number[] = {0, 0, 1};
    for (size_t i = 0; i < COUNT(number) && isdigit((unsigned char)*text); i++) {
        char *end;
        unsigned long value = strtoul(text, &end, 10);
        if (value > NUMBER_MAX || (*end && *end != 'x'))
            return -1;
        number[i] = (uint32_t)value;
        if (!*end) {
            *out = (struct shape){number[0], number[1], number[2]};
            return i > 0 ? 0 : -1;
        }
        text = end + 1;
    }
    return -1;
}

int arch_allows(const struct arch *arch, struct shape shape) {
    int socket = 0;
    for (int i = 0; i < SIM_SOCKETS_MAX; i++)
        socket |= arch->sockets[i] && arch->sockets[i] == shape.sockets;
    return socket && shape.cores >= 1 && shape.cores <= arch->max_cores && shape.threads >= 1 &&
           shape.threads <= arch->max_threads && shape.sockets * shape.cores * shape.threads <= SIM_CORES_MAX;
}

void arch_describe_shapes(const struct arch *arch, char *text, size_t size) {
    char sockets[64] = "";
    for (int i = 0; i < SIM_SOCKETS_MAX && arch->sockets[i]; i++)
        snprintf(sockets + strlen(sockets), sizeof sockets - strlen(sockets), "%s%u", i > 0 ? ", " : "",
                 arch->sockets[i]);
    int length = snprintf(text, size, "%s-SxC: S sockets (%s) of C cores (1 to %u), %d in all at most", arch->node.arch,
                          sockets, arch->max_cores, SIM_CORES_MAX);
    if (arch->max_threads > 1 && length > 0 && (size_t)length < size)
        length +=
            snprintf(text + length, size - (size_t)length, "; SxCx%u: %u hardware threads per core, %d in all at most",
                     arch->max_threads, arch->max_threads, SIM_CORES_MAX);
    if (arch->node.likwid && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "; LIKWID " LIKWID_VERSION " or later",
                 LIKWID_VERSION_NUMBERS(arch->node.likwid));
}

void arch_give_shape(const struct arch *arch, struct shape shape, struct node_desc *node) {
    struct sim_config *config = &node->config;
    config->sockets = shape.sockets;
    config->cores_per_socket = shape.cores;
    config->threads_per_core = shape.threads;
    if (shape.threads > 1 && arch->smt_counters)
        node->perfmon.counters = arch->smt_counters;
    config->domains_per_socket = arch->domain_cores ? sim_part(shape.cores, arch->domain_cores) : 1;
    config->numa_per_socket = arch->numa_per_socket;
    config->slices = arch->slices ? arch->slices : sim_part(shape.cores, config->domains_per_socket);
}
