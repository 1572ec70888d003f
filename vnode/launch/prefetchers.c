/* prefetchers.c - the field `prefetchers` of a node file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "prefetchers.h"

#include <stdio.h>
#include <string.h>

#include "vnode/sim/config.h"

#define FIELD "prefetchers"

/* In the order of the bits of enum sim_prefetcher: the name in node files, and the one of LIKWID. */
static const struct {
    const char *field, *likwid;
} names[] = {{"l2_streamer", "HW_PREFETCHER"},
             {"l2_adjacent", "CL_PREFETCHER"},
             {"l1_next_line", "DCU_PREFETCHER"},
             {"l1_stride", "IP_PREFETCHER"}};

/* The bit of the name on top of the stack, 0: none has it. */
static uint32_t bit_of(lua_State *lua) {
    const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].field, name) == 0)
            return 1U << i;
    return 0;
}

/* The set of the list on top of the stack. 0, or -1: an element is no name. */
static int read_list(lua_State *lua, uint32_t *out) {
    for (lua_pushnil(lua), *out = 0; lua_next(lua, -2); lua_pop(lua, 1)) {
        uint32_t bit = bit_of(lua);
        if (!bit) {
            lua_pop(lua, 2);
            return -1;
        }
        *out |= bit;
    }
    return 0;
}

const char *prefetchers_read(const struct lua_file *file, const struct lua_place *place, uint32_t *out) {
    lua_State *lua = file->lua;
    int kind = lua_getfield(lua, -1, FIELD), wrong = 0;
    if (kind == LUA_TBOOLEAN)
        *out = lua_toboolean(lua, -1) ? SIM_PREFETCHERS : 0;
    else if (kind == LUA_TTABLE)
        wrong = read_list(lua, out);
    else
        wrong = kind != LUA_TNIL;
    lua_pop(lua, 1);
    if (!wrong)
        return NULL;
    return lua_file_complain(file, place, FIELD,
                             "must be true, false or a list of l2_streamer, l2_adjacent, l1_next_line, l1_stride");
}

const char *prefetchers_text(uint32_t set, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < sizeof names / sizeof *names && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", i > 0 ? ", " : "", names[i].likwid,
                                 set >> i & 1 ? "on" : "off");
    return text;
}
