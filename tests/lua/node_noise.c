/* node_noise.c - the noise of virtual nodes (vnode/pmu/noise.h) for tests in Lua: require "node_noise".
 *
 * count(at) -> what a counter shows, not rounded. at = { level = "quiet"|"busy", seed = of the run, unit = "FIXED" or
 * "PMC": a core's counter, any other: a box', counter = a number for each counter of a place, place =, interval = a
 * number for each of its counting intervals, seconds = of the interval, counted =, per_walk = what a page walk
 * more adds to the count }.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <lauxlib.h>
#include <string.h>

#include "vnode/pmu/noise.h"

static lua_Number number_of(lua_State *L, const char *name) {
    lua_getfield(L, 1, name);
    lua_Number number = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    return number;
}

/* Valid until the table changes. */
static const char *text_of(lua_State *L, const char *name) {
    lua_getfield(L, 1, name);
    const char *text = luaL_checkstring(L, -1);
    lua_pop(L, 1);
    return text;
}

static int count(lua_State *L) {
    const struct fault_list list = {.seed = (uint64_t)number_of(L, "seed"),
                                    .noise = noise_of_name(text_of(L, "level"))};
    struct programmed at = {.faults = &list,
                            .counter = {.index = (uint32_t)number_of(L, "counter")},
                            .place = (uint32_t)number_of(L, "place"),
                            .elapsed = number_of(L, "seconds"),
                            .per_walk = number_of(L, "per_walk")};
    luaL_argcheck(L, list.noise != NOISE_NONE, 1, "level: quiet or busy");
    strncpy(at.event.unit, text_of(L, "unit"), sizeof at.event.unit - 1);
    lua_pushnumber(L, noise_count(&at, (uint32_t)number_of(L, "interval"), number_of(L, "counted")));
    return 1;
}

int luaopen_node_noise(lua_State *L); /* called by require */

int luaopen_node_noise(lua_State *L) {
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, count);
    lua_setfield(L, -2, "count");
    return 1;
}
