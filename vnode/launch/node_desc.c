/* node_desc.c - reads the description of a virtual node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "node_desc.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vnode/sim/sim.h"

enum kind { TEXT, NUMBER32, NUMBER64 };

struct field {
    const char *table, *name; /* table: NULL for fields of the description itself */
    enum kind kind;
    size_t offset, size; /* size: of texts */
    uint64_t low, high;  /* range of numbers */
};

#define TEXT_FIELD(member)                                                                                             \
    { NULL, #member, TEXT, offsetof(struct node_desc, member), sizeof(((struct node_desc *)0)->member), 0, 0 }
#define CONFIG(member) offsetof(struct node_desc, config.member)
#define CONFIG_FIELD(member, low, high)                                                                                \
    { NULL, #member, NUMBER32, CONFIG(member), 0, low, high }
#define CACHE(cache)                                                                                                   \
    {#cache, "size", NUMBER64, CONFIG(cache.size), 0, 1, UINT64_C(1) << 32},                                           \
        {#cache, "ways", NUMBER32, CONFIG(cache.ways), 0, 1, 64}, {                                                    \
#cache, "latency", NUMBER32, CONFIG(cache.latency), 0, 0, 100000                                               \
    }
#define TLB(tlb)                                                                                                       \
    {#tlb, "entries", NUMBER32, CONFIG(tlb.entries), 0, 1, 1 << 20}, {                                                 \
#tlb, "ways", NUMBER32, CONFIG(tlb.ways), 0, 1, 64                                                             \
    }

static const struct field fields[] = {
    TEXT_FIELD(arch),
    TEXT_FIELD(cpu),
    {NULL, "signature", NUMBER32, offsetof(struct node_desc, signature), 0, 1, UINT32_MAX},
    {NULL, "memory_bytes", NUMBER64, offsetof(struct node_desc, memory_bytes), 0, 1 << 20, UINT64_C(1) << 50},
    CONFIG_FIELD(sockets, 1, SIM_SOCKETS_MAX),
    CONFIG_FIELD(cores_per_socket, 1, SIM_SLICES_MAX),
    CONFIG_FIELD(line, 16, 4096),
    CONFIG_FIELD(page, 1024, 1 << 30),
    CACHE(l1i),
    CACHE(l1d),
    CACHE(l2),
    CACHE(l3),
    CONFIG_FIELD(channels, 1, SIM_CHANNELS_MAX),
    CONFIG_FIELD(agents, 1, SIM_AGENTS_MAX),
    CONFIG_FIELD(memory_latency, 0, 1000000),
    CONFIG_FIELD(remote_latency, 0, 1000000),
    TLB(dtlb),
    TLB(itlb),
    TLB(stlb),
    CONFIG_FIELD(walk_latency, 0, 1000000),
    CONFIG_FIELD(branch_penalty, 0, 1000000),
    CONFIG_FIELD(instructions_per_cycle_x4, 1, 1024),
    {NULL, "clock_hz", NUMBER64, CONFIG(clock_hz), 0, 1000000, UINT64_C(10000000000)},
    {NULL, "uncore_hz", NUMBER64, CONFIG(uncore_hz), 0, 1000000, UINT64_C(10000000000)},
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* The line of a file that gives a field a value, 1 if none does. */
static int line_of(const char *path, const char *name) {
    char line[512];
    FILE *file = fopen(path, "re");
    int row = 0, found = 1;
    while (file && found == 1 && fgets(line, sizeof line, file)) {
        row++;
        const char *at = line + strspn(line, " \t{");
        size_t length = strlen(name);
        if (strncmp(at, name, length) == 0 && !isalnum((unsigned char)at[length]) && at[length] != '_')
            found = row;
    }
    if (file)
        fclose(file);
    return found;
}

/* The field's value is on top of the stack. NULL or what is wrong with it. */
static const char *store(lua_State *lua, const struct field *field, struct node_desc *out) {
    char *at = (char *)out + field->offset;
    if (lua_isnil(lua, -1))
        return "is missing";
    if (field->kind == TEXT) {
        const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
        if (!text || strlen(text) >= field->size || strpbrk(text, "\n/"))
            return "must be a short text";
        strcpy(at, text);
        return NULL;
    }
    int whole = 0;
    lua_Integer value = lua_tointegerx(lua, -1, &whole);
    if (!whole || lua_type(lua, -1) != LUA_TNUMBER || value < 0)
        return "must be a whole number";
    if ((uint64_t)value < field->low || (uint64_t)value > field->high)
        return "is out of range";
    if (field->kind == NUMBER32) {
        uint32_t narrow = (uint32_t)value;
        memcpy(at, &narrow, sizeof narrow);
    } else {
        uint64_t wide = (uint64_t)value;
        memcpy(at, &wide, sizeof wide);
    }
    return NULL;
}

static int is_field(const char *table, const char *name) {
    for (int i = 0; i < FIELDS; i++) {
        const char *owner = fields[i].table;
        if (table ? owner && strcmp(owner, table) == 0 && strcmp(fields[i].name, name) == 0
                  : strcmp(owner ? owner : fields[i].name, name) == 0)
            return 1;
    }
    return 0;
}

/* A key of the table on top of the stack that means nothing, NULL: none. */
static const char *unknown_key(lua_State *lua, const char *table) {
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1))
        if (lua_type(lua, -2) != LUA_TSTRING || !is_field(table, lua_tostring(lua, -2)))
            return lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
    return NULL;
}

static const char *complain(const char *path, const char *table, const char *name, const char *what, char *error,
                            size_t error_size) {
    snprintf(error, error_size, "%s:%d: %s%s%s %s", path, line_of(path, table ? table : name), table ? table : "",
             table ? "." : "", name, what);
    return error;
}

/* What the simulator says of hardware begins with the field that is wrong. */
static const char *check_hardware(const char *path, const struct sim_config *config, char *error, size_t error_size) {
    char field[32];
    const char *wrong = sim_config_error(config);
    if (!wrong)
        return NULL;
    snprintf(field, sizeof field, "%.*s", (int)strcspn(wrong, ":"), wrong);
    snprintf(error, error_size, "%s:%d: %s", path, line_of(path, field), wrong);
    return error;
}

/* The description's table is on top of the stack. */
static const char *read_fields(lua_State *lua, const char *path, struct node_desc *out, char *error,
                               size_t error_size) {
    const char *unknown = unknown_key(lua, NULL);
    if (unknown)
        return complain(path, NULL, unknown, "is not known here", error, error_size);
    for (int i = 0; i < FIELDS; i++) {
        const struct field *field = &fields[i];
        int top = lua_gettop(lua);
        if (field->table) {
            if (lua_getfield(lua, -1, field->table) != LUA_TTABLE)
                return complain(path, NULL, field->table, "must be a table", error, error_size);
            if ((unknown = unknown_key(lua, field->table)))
                return complain(path, field->table, unknown, "is not known here", error, error_size);
        }
        lua_getfield(lua, -1, field->name);
        const char *wrong = store(lua, field, out);
        lua_settop(lua, top);
        if (wrong)
            return complain(path, field->table, field->name, wrong, error, error_size);
    }
    return check_hardware(path, &out->config, error, error_size);
}

static void set_name(struct node_desc *out, const char *path) {
    const char *slash = strrchr(path, '/');
    snprintf(out->name, sizeof out->name, "%s", slash ? slash + 1 : path);
    char *end = strrchr(out->name, '.');
    if (end)
        *end = '\0';
}

/* Far more than a table of numbers takes. */
enum { INSTRUCTIONS_MAX = 100000, MEMORY_MAX = 1 << 20 };

/* Lua's allocator; `used` holds the bytes given out so far. */
static void *allocate(void *used, void *block, size_t old, size_t size) {
    size_t *sum = used, before = block ? old : 0;
    if (size == 0) {
        free(block);
        *sum -= before;
        return NULL;
    }
    void *grown = *sum - before + size <= MEMORY_MAX ? realloc(block, size) : NULL;
    if (grown)
        *sum += size - before;
    return grown;
}

static void stop(lua_State *lua, lua_Debug *where) {
    (void)where;
    luaL_error(lua, "computes for too long; the description of a node is a table of numbers");
}

/* Lua's message; where the limits of its memory or its parser are reached, Lua names no place. */
static void keep_message(const char *path, const char *message, char *error, size_t error_size) {
    size_t length = strlen(path);
    int named = strncmp(message, path, length) == 0 && message[length] == ':';
    snprintf(error, error_size, "%s%s%s", named ? "" : path, named ? "" : ":1: ", message);
}

/* Names and texts of the file may hold line ends. */
static void make_one_line(char *text) {
    for (; (text = strchr(text, '\n')) != NULL; *text = ' ') {
    }
}

const char *node_desc_read(const char *path, struct node_desc *out, char *error, size_t error_size) {
    const char *wrong = NULL;
    size_t used = 0;
    memset(out, 0, sizeof *out);
    set_name(out, path);
    lua_State *lua = lua_newstate(allocate, &used); /* without libraries: a description computes nothing but numbers */
    if (!lua) {
        snprintf(error, error_size, "%s:1: out of memory", path);
        return error;
    }
    lua_sethook(lua, stop, LUA_MASKCOUNT, INSTRUCTIONS_MAX);
    /* text only: Lua does not check what it has compiled */
    if (luaL_loadfilex(lua, path, "t") != LUA_OK || lua_pcall(lua, 0, 1, 0) != LUA_OK) {
        keep_message(path, lua_tostring(lua, -1), error, error_size);
        wrong = error;
    } else if (!lua_istable(lua, -1)) {
        snprintf(error, error_size, "%s:1: the description of a node returns a table", path);
        wrong = error;
    } else {
        wrong = read_fields(lua, path, out, error, error_size);
    }
    lua_close(lua);
    if (wrong)
        make_one_line(error);
    return wrong;
}
