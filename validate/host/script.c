/* script.c - calls Lua with JSON values. SPDX-License-Identifier: GPL-3.0-or-later */
#include "script.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plain_json.h"
#include "sandbox/bridge.h"
#include "solver/linear.h"

enum { DEPTH_MAX = 64, LOOK_ABOUT = 1000000 }; /* Lua instructions: about 10 ms */

struct script {
    lua_State *lua; /* its extra space points to this structure */
    int (*is_asked)(void);
    int is_stopped;
};

static struct script **of(lua_State *lua) {
    return lua_getextraspace(lua);
}

static void push(lua_State *lua, const json_t *value) {
    luaL_checkstack(lua, 4, "value nested too deeply");
    switch (json_typeof(value)) {
    case JSON_OBJECT: {
        const char *key;
        json_t *member;
        lua_createtable(lua, 0, (int)json_object_size(value));
        json_object_foreach((json_t *)value, key, member) {
            push(lua, member);
            lua_setfield(lua, -2, key);
        }
        break;
    }
    case JSON_ARRAY:
        lua_createtable(lua, (int)json_array_size(value), 0);
        for (size_t i = 0; i < json_array_size(value); i++) {
            push(lua, json_array_get(value, i));
            lua_rawseti(lua, -2, (lua_Integer)i + 1);
        }
        break;
    case JSON_STRING:
        lua_pushlstring(lua, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        lua_pushinteger(lua, json_integer_value(value));
        break;
    case JSON_REAL:
        lua_pushnumber(lua, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(lua, json_is_true(value));
        break;
    case JSON_NULL:
        lua_pushnil(lua);
        break;
    }
}

static json_t *pull(lua_State *lua, int index, int depth, struct error *error);

static int is_array(lua_State *lua, int index) {
    if (lua_rawlen(lua, index) > 0)
        return 1;
    int array = 0;
    if (luaL_getmetafield(lua, index, "__name") == LUA_TSTRING)
        array = strcmp(lua_tostring(lua, -1), "array") == 0;
    if (array)
        lua_pop(lua, 1);
    return array;
}

static json_t *pull_table(lua_State *lua, int index, int depth, struct error *error) {
    luaL_checkstack(lua, 4, "value nested too deeply");
    if (is_array(lua, index)) {
        json_t *array = json_array();
        for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(lua, index); i++) {
            lua_rawgeti(lua, index, i);
            json_t *element = pull(lua, lua_gettop(lua), depth + 1, error);
            lua_pop(lua, 1);
            if (element == NULL || json_array_append_new(array, element) != 0) {
                json_decref(array);
                return NULL;
            }
        }
        return array;
    }
    json_t *object = json_object();
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        if (lua_type(lua, -2) != LUA_TSTRING) {
            error_set(error, "a Lua function returned a table with a key that is no string (%s)",
                      luaL_typename(lua, -2));
            json_decref(object);
            return NULL;
        }
        json_t *member = pull(lua, lua_gettop(lua), depth + 1, error);
        if (member == NULL || json_object_set_new(object, lua_tostring(lua, -2), member) != 0) {
            if (member != NULL)
                error_set(error, "a Lua function returned a table with the key '%.100s', which is not UTF-8",
                          lua_tostring(lua, -2));
            json_decref(object);
            return NULL;
        }
        lua_pop(lua, 1);
    }
    return object;
}

/* Converts the value at an absolute index to JSON. NaN and infinities cannot be converted: the model is wrong. */
static json_t *pull(lua_State *lua, int index, int depth, struct error *error) {
    json_t *value = NULL;
    if (depth > DEPTH_MAX) {
        error_set(error, "a Lua function returned a value nested deeper than %d", DEPTH_MAX);
        return NULL;
    }
    switch (lua_type(lua, index)) {
    case LUA_TTABLE:
        return pull_table(lua, index, depth, error);
    case LUA_TSTRING:
        value = json_string(lua_tostring(lua, index));
        break;
    case LUA_TNUMBER:
        value =
            lua_isinteger(lua, index) ? json_integer(lua_tointeger(lua, index)) : json_real(lua_tonumber(lua, index));
        break;
    case LUA_TBOOLEAN:
        value = json_boolean(lua_toboolean(lua, index));
        break;
    case LUA_TNIL:
        value = json_null();
        break;
    default:
        error_set(error, "a Lua function returned a %s", luaL_typename(lua, index));
        return NULL;
    }
    if (value == NULL)
        error_set(error, "a Lua function returned a number or text that JSON cannot hold (nan, inf or not UTF-8)");
    return value;
}

/* Keeps the first line of Lua's message, which starts with file and line. */
static void keep_message(struct error *error, const char *message) {
    size_t length = message != NULL ? strcspn(message, "\n") : 0;
    error_set(error, "%.*s", (int)length, message != NULL ? message : "");
}

/* A searcher for `require` that finds modules in the data folder. Unlike the templates of package.path it allows any
 * character in the path. */
static int find_module(lua_State *lua) {
    const char *name = luaL_gsub(lua, luaL_checkstring(lua, 1), ".", "/");
    const char *file = lua_pushfstring(lua, "%s/lua/%s.lua", lua_tostring(lua, lua_upvalueindex(1)), name);
    if (access(file, R_OK) != 0) {
        lua_pushfstring(lua, "no file '%s'", file);
        return 1;
    }
    if (luaL_loadfile(lua, file) != LUA_OK)
        return lua_error(lua);
    lua_pushstring(lua, file);
    return 2;
}

struct script *script_open(const char *data_folder, struct error *error) {
    struct script *script = malloc(sizeof *script);
    lua_State *lua = script != NULL ? luaL_newstate() : NULL;
    if (lua == NULL) {
        free(script);
        error_set(error, "no memory for Lua");
        return NULL;
    }
    *script = (struct script){.lua = lua};
    *of(lua) = script;
    luaL_openlibs(lua);
    luaL_requiref(lua, "sandbox", luaopen_sandbox, 0);
    luaL_requiref(lua, "linear", luaopen_linear, 0);
    lua_pop(lua, 2);
    lua_getglobal(lua, "package");
    for (int i = 0; i < 2; i++) {
        lua_pushliteral(lua, "");
        lua_setfield(lua, -2, i == 0 ? "path" : "cpath");
    }
    lua_getfield(lua, -1, "searchers");
    lua_pushstring(lua, data_folder);
    lua_pushcclosure(lua, find_module, 1);
    lua_rawseti(lua, -2, 2);
    lua_pop(lua, 1);
    lua_pop(lua, 1);
    return script;
}

void script_close(struct script *script) {
    if (script == NULL)
        return;
    lua_close(script->lua);
    free(script);
}

static void look_about(lua_State *lua, lua_Debug *place) {
    struct script *script = *of(lua);
    (void)place;
    if (!script->is_asked())
        return;
    script->is_stopped = 1;
    luaL_error(lua, "told to stop");
}

void script_stop_when(struct script *script, int (*is_asked)(void)) {
    script->is_asked = is_asked;
    lua_sethook(script->lua, look_about, LUA_MASKCOUNT, LOOK_ABOUT);
}

/* Pushes the function `call` of lua/doors/call.lua. */
static int push_doors(lua_State *lua) {
    lua_settop(lua, 0);
    lua_getglobal(lua, "require");
    lua_pushliteral(lua, "doors.call");
    int status = lua_pcall(lua, 1, 1, 0);
    if (status == LUA_OK)
        lua_getfield(lua, -1, "call");
    return status;
}

static json_t *call(lua_State *lua, const char *door, const json_t *argument, struct error *error) {
    int status = push_doors(lua);
    if (status == LUA_OK) {
        lua_pushstring(lua, door);
        push(lua, argument);
        status = lua_pcall(lua, 2, 1, 0);
    }
    if (status == LUA_OK)
        return pull(lua, lua_gettop(lua), 0, error);
    keep_message(error, lua_tostring(lua, -1));
    return NULL;
}

json_t *script_call(struct script *script, const char *door, json_t *argument, struct error *error) {
    if (argument == NULL) { /* json_pack() returns NULL for texts that are not UTF-8 */
        error_set(error, "%s: its input is not UTF-8, or there is no memory for it", door);
        return NULL;
    }
    json_t *result = call(script->lua, door, argument, error);
    json_decref(argument);
    lua_settop(script->lua, 0);
    if (!script->is_stopped)
        return result;
    json_decref(result); /* Lua code may have caught the error of the stop and returned a wrong result */
    error_set(error, "told to stop");
    return NULL;
}

json_t *script_call_once(const char *data_folder, const char *door, json_t *argument, struct error *error) {
    struct script *script = script_open(data_folder, error);
    json_t *result = script != NULL ? script_call(script, door, argument, error) : NULL;
    if (script == NULL)
        json_decref(argument);
    script_close(script);
    return result;
}

json_t *script_file(const char *file, struct error *error) {
    json_t *text = json_file(file, error);
    return text != NULL ? json_pack("{s:o, s:o}", "text", text, "file", plain_name(file)) : NULL;
}

json_t *script_read(struct script *script, const char *door, const char *file, struct error *error) {
    json_t *argument = script_file(file, error);
    return argument != NULL ? script_call(script, door, argument, error) : NULL;
}
