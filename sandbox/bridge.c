/* bridge.c - values and calls between the host's Lua and a guest's.
 *
 * An error must not unwind the other state's frames: whatever may raise in a state runs in a protected call of that
 * state, without frames of the other one in between. So a value is inspected in its own state before it is copied.
 * Copying then uses only functions of the source state that need no memory there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bridge.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "guest.h"

/* Maximum of values plus text bytes per crossing, and of nesting; a table referenced twice is copied twice. */
enum { CROSSING_MOST = 1 << 20, NESTED_MOST = 60 };
#define TOO_MUCH "more than a million values or bytes of text"

static const char METATABLE[] = "assay.sandbox";

/* A full userdata of the host. Its user value lists the host's functions that the guest knows, list[i] = function and
 * list[function] = i. */
struct sandbox {
    struct guest *guest;
    lua_State *host;   /* during a call of the guest */
    int self;          /* the userdata's index on the host's stack during a call */
    lua_Integer calls; /* number of calls of guest functions so far */
    char message[GUEST_MESSAGE];
};

/* Keys of the guest's registry. MARKS: marks[table] = { kind, line, order } of tables passed to constructors,
 * marks[1] = their number. FUNCTIONS: list of its functions that the host knows, as above. */
static const char MARKS, FUNCTIONS;

struct crossing {
    struct sandbox *sandbox;
    lua_State *from, *to;
    int self;  /* to the host: index of the userdata in `to`; else in `from` */
    int marks; /* to the host: index of the table of marks in `to`, 0: none */
};

static int call_guest(lua_State *host);
static int call_host(lua_State *guest);

/* Adds all functions in the value at the absolute index to the list at `list` (0: functions are not allowed). NULL,
 * or why the value cannot cross. */
static const char *inspect(lua_State *lua, int index, int list, int depth, long *left) {
    const char *wrong = NULL;
    int top = lua_gettop(lua);
    size_t numbers = 0, names = 0;
    if (!lua_checkstack(lua, 8) || --*left < 0)
        return TOO_MUCH;
    switch (lua_type(lua, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
        return NULL;
    case LUA_TSTRING:
        return (*left -= (long)lua_rawlen(lua, index)) < 0 ? TOO_MUCH : NULL;
    case LUA_TTABLE:
        if (depth > NESTED_MOST)
            return "nested too deeply, or in itself";
        for (lua_pushnil(lua); wrong == NULL && lua_next(lua, index) != 0; lua_settop(lua, top + 1)) {
            int value = lua_gettop(lua), key = lua_type(lua, value - 1);
            *(key == LUA_TNUMBER ? &numbers : &names) += 1;
            if (key != LUA_TSTRING && key != LUA_TNUMBER)
                wrong = "a table with keys that are neither text nor numbers";
            else if (key == LUA_TNUMBER || (wrong = inspect(lua, value - 1, list, depth + 1, left)) == NULL)
                wrong = inspect(lua, value, list, depth + 1, left);
        }
        lua_settop(lua, top);
        if (wrong == NULL && numbers > 0 && (names > 0 || numbers != lua_rawlen(lua, index)))
            wrong = "a table that is neither a list nor all names";
        return wrong;
    case LUA_TFUNCTION:
        if (list == 0)
            return "a function";
        lua_pushvalue(lua, index);
        if (lua_rawget(lua, list) == LUA_TNIL) {
            lua_Integer number = (lua_Integer)lua_rawlen(lua, list) + 1;
            lua_pushvalue(lua, index);
            lua_rawseti(lua, list, number);
            lua_pushvalue(lua, index);
            lua_pushinteger(lua, number);
            lua_rawset(lua, list);
        }
        lua_pop(lua, 1);
        return NULL;
    default:
        return "something that is no value";
    }
}

/* Returns the number of the function at `index` of `from`, in the list on top of its stack; pops the list. */
static lua_Integer number_of(lua_State *from, int index) {
    lua_pushvalue(from, index);
    lua_rawget(from, -2);
    lua_Integer number = lua_tointeger(from, -1);
    lua_pop(from, 2);
    return number;
}

/* Pushes the guest's function at `index` as a host function. */
static void proxy(struct crossing *c, int index) {
    lua_pushvalue(c->to, c->self);
    lua_rawgetp(c->from, LUA_REGISTRYINDEX, &FUNCTIONS);
    lua_pushinteger(c->to, number_of(c->from, index));
    lua_pushcclosure(c->to, call_guest, 2);
}

/* Pushes the host's function at `index` as a guest function. */
static void callback(struct crossing *c, int index) {
    lua_getiuservalue(c->from, c->self, 1);
    lua_pushlightuserdata(c->to, c->sandbox);
    lua_pushinteger(c->to, number_of(c->from, index));
    lua_pushinteger(c->to, c->sandbox->calls);
    lua_pushcclosure(c->to, call_host, 3);
}

static int is_to_host(const struct crossing *c) {
    return c->from == guest_lua(c->sandbox->guest);
}

/* Records the constructor of the guest's table at `index`, whose copy is on top of the host's stack. */
static void mark(struct crossing *c, int index) {
    lua_State *from = c->from, *to = c->to;
    lua_rawgetp(from, LUA_REGISTRYINDEX, &MARKS);
    lua_pushvalue(from, index);
    if (lua_rawget(from, -2) == LUA_TTABLE) {
        lua_pushvalue(to, -1);
        lua_createtable(to, 0, 3);
        lua_rawgeti(from, -1, 1);
        lua_pushstring(to, lua_tostring(from, -1));
        lua_setfield(to, -2, "kind");
        lua_rawgeti(from, -2, 2);
        lua_pushinteger(to, lua_tointeger(from, -1));
        lua_setfield(to, -2, "line");
        lua_rawgeti(from, -3, 3);
        lua_pushinteger(to, lua_tointeger(from, -1));
        lua_setfield(to, -2, "order");
        lua_pop(from, 3);
        lua_rawset(to, c->marks);
    }
    lua_pop(from, 2);
}

/* Pushes a copy of the inspected value at the absolute index of `from` on `to`. */
static void copy(struct crossing *c, int index) {
    lua_State *from = c->from, *to = c->to;
    size_t length;
    const char *text;
    luaL_checkstack(to, 8, "too many values");
    switch (lua_type(from, index)) {
    case LUA_TTABLE:
        lua_newtable(to);
        for (lua_pushnil(from); lua_next(from, index) != 0; lua_pop(from, 1)) {
            int value = lua_gettop(from);
            copy(c, value - 1);
            copy(c, value);
            lua_rawset(to, -3);
        }
        if (c->marks != 0)
            mark(c, index);
        break;
    case LUA_TSTRING:
        text = lua_tolstring(from, index, &length);
        lua_pushlstring(to, text, length);
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(from, index))
            lua_pushinteger(to, lua_tointeger(from, index));
        else
            lua_pushnumber(to, lua_tonumber(from, index));
        break;
    case LUA_TBOOLEAN:
        lua_pushboolean(to, lua_toboolean(from, index));
        break;
    case LUA_TFUNCTION:
        (is_to_host(c) ? proxy : callback)(c, index);
        break;
    default:
        lua_pushnil(to);
    }
}

/* Copies the values from index `first` to the top of `from`. Returns their number. */
static int copy_all(struct crossing *c, int first) {
    int last = lua_gettop(c->from);
    for (int i = first; i <= last; i++)
        copy(c, i);
    return last - first + 1;
}

/* Runs in a protected call of the host: calls a function with the guest's values. Arguments: crossing, sandbox,
 * function. */
static int receive(lua_State *host) {
    struct crossing *c = lua_touserdata(host, 1);
    long left = CROSSING_MOST;
    c->self = 2;
    lua_call(host, copy_all(c, 1), 1);
    const char *wrong = inspect(host, lua_gettop(host), 0, 0, &left);
    return wrong != NULL ? luaL_error(host, "returns %s", wrong) : 1;
}

/* A host function, as the guest sees it. Upvalues: the sandbox, its number, and the call during which it is valid (0:
 * always). */
static int call_host(lua_State *guest) {
    struct sandbox *sandbox = lua_touserdata(guest, lua_upvalueindex(1));
    lua_Integer number = lua_tointeger(guest, lua_upvalueindex(2)), call = lua_tointeger(guest, lua_upvalueindex(3));
    lua_State *host = sandbox->host;
    long left = CROSSING_MOST;
    if (call != 0 && call != sandbox->calls)
        return luaL_error(guest, "a function may be called only before the call ends that it was given to");
    for (int i = 1, last = lua_gettop(guest); i <= last; i++) {
        const char *wrong = inspect(guest, i, 0, 0, &left);
        if (wrong != NULL)
            return luaL_error(guest, "argument %d is %s", i, wrong);
    }
    struct crossing in = {.sandbox = sandbox, .from = guest, .to = host};
    if (!lua_checkstack(host, LUA_MINSTACK))
        return luaL_error(guest, "calls are nested too deeply");
    int top = lua_gettop(host);
    lua_pushcfunction(host, receive);
    lua_pushlightuserdata(host, &in);
    lua_pushvalue(host, sandbox->self);
    lua_getiuservalue(host, sandbox->self, 1);
    lua_rawgeti(host, -1, number);
    lua_remove(host, -2);
    if (lua_pcall(host, 3, 1, 0) != LUA_OK) {
        const char *text = lua_type(host, -1) == LUA_TSTRING ? lua_tostring(host, -1) : "an error without a text";
        snprintf(sandbox->message, sizeof sandbox->message, "%s", text);
        lua_settop(host, top);
        return luaL_error(guest, "%s", sandbox->message);
    }
    struct crossing back = {.sandbox = sandbox, .from = host, .to = guest, .self = sandbox->self};
    copy(&back, top + 1);
    lua_settop(host, top);
    return 1;
}

/* The line where the function at `index` begins; 1 if it is not from the file. */
static int line_of_function(lua_State *guest, int index) {
    lua_Debug about;
    lua_pushvalue(guest, index);
    lua_getinfo(guest, ">S", &about);
    return about.linedefined > 0 ? about.linedefined : 1;
}

/* Runs in a protected call of the guest: calls the function of that number with the host's values from index `first`
 * on. Arguments: crossing, number, first. */
static int enter(lua_State *guest) {
    struct crossing *c = lua_touserdata(guest, 1);
    int first = (int)lua_tointeger(guest, 3);
    long left = CROSSING_MOST;
    lua_rawgetp(guest, LUA_REGISTRYINDEX, &FUNCTIONS);
    lua_rawgeti(guest, -1, lua_tointeger(guest, 2));
    lua_pushvalue(guest, -1);
    lua_call(guest, copy_all(c, first), 1);
    const char *wrong = inspect(guest, lua_gettop(guest), 0, 0, &left);
    if (wrong == NULL)
        return 1;
    int line = line_of_function(guest, lua_gettop(guest) - 1);
    lua_pushfstring(guest, GUEST_CHUNK ":%d: this function returns %s", line, wrong);
    return lua_error(guest);
}

/* Runs in a protected call of the guest: runs the file's chunk, the argument, and lists the functions in its result. */
static int evaluate(lua_State *guest) {
    long left = CROSSING_MOST;
    lua_call(guest, 0, 1);
    lua_rawgetp(guest, LUA_REGISTRYINDEX, &FUNCTIONS);
    const char *wrong = inspect(guest, 1, 2, 0, &left);
    if (wrong != NULL)
        return luaL_error(guest, "the file returns %s", wrong);
    lua_settop(guest, 1);
    return 1;
}

/* Calls the function on the guest's stack with `arguments` above it; afterwards that stack contains only its result.
 * `self`: index of the sandbox on the host's stack. Raises in the host. */
static void call_protected(struct sandbox *sandbox, lua_State *host, int self, int arguments) {
    sandbox->host = host;
    sandbox->self = self;
    int status = guest_call(sandbox->guest, arguments, 1, sandbox->message);
    sandbox->host = NULL;
    if (status != 0) {
        lua_pushstring(host, sandbox->message);
        lua_error(host);
    }
}

/* Pushes the guest's result on the host's stack. `marks`: index of the table of marks there, or 0. */
static void take_result(struct sandbox *sandbox, lua_State *host, int self, int marks) {
    struct crossing out = {
        .sandbox = sandbox, .from = guest_lua(sandbox->guest), .to = host, .self = self, .marks = marks};
    copy(&out, 1);
    lua_settop(out.from, 0);
}

/* Removes the functions after the first `kept`, valid for one call only, from the list at index `list`. */
static void forget(lua_State *host, int list, lua_Integer kept) {
    for (lua_Integer i = (lua_Integer)lua_rawlen(host, list); i > kept; i--) {
        lua_rawgeti(host, list, i);
        lua_pushnil(host);
        lua_rawset(host, list);
        lua_pushnil(host);
        lua_rawseti(host, list, i);
    }
}

/* A guest function, as the host sees it. Upvalues: the sandbox and its number. */
static int call_guest(lua_State *host) {
    enum { SELF = 1, LIST, FIRST };
    struct sandbox *sandbox = lua_touserdata(host, lua_upvalueindex(1));
    lua_State *guest = guest_lua(sandbox->guest);
    long left = CROSSING_MOST;
    if (sandbox->host != NULL)
        return luaL_error(host, "a data file's function calls itself through the host");
    luaL_checkstack(host, LUA_MINSTACK, "too many arguments");
    lua_pushvalue(host, lua_upvalueindex(1));
    lua_insert(host, SELF);
    lua_getiuservalue(host, SELF, 1);
    lua_insert(host, LIST);
    lua_Integer kept = (lua_Integer)lua_rawlen(host, LIST);
    for (int i = FIRST, last = lua_gettop(host); i <= last; i++) {
        const char *wrong = inspect(host, i, LIST, 0, &left);
        if (wrong != NULL)
            return luaL_error(host, "argument %d is %s", i - FIRST + 1, wrong);
    }
    struct crossing in = {.sandbox = sandbox, .from = host, .to = guest, .self = SELF};
    sandbox->calls++;
    lua_settop(guest, 0);
    lua_pushcfunction(guest, enter);
    lua_pushlightuserdata(guest, &in);
    lua_pushinteger(guest, lua_tointeger(host, lua_upvalueindex(2)));
    lua_pushinteger(guest, FIRST);
    call_protected(sandbox, host, SELF, 3);
    forget(host, LIST, kept);
    take_result(sandbox, host, SELF, 0);
    return 1;
}

/* A constructor; upvalue: its kind. Records its table and returns it. */
static int construct(lua_State *guest) {
    const char *kind = lua_tostring(guest, lua_upvalueindex(1));
    if (lua_type(guest, 1) != LUA_TTABLE)
        return luaL_error(guest, "%s takes a table", kind);
    lua_settop(guest, 1);
    lua_rawgetp(guest, LUA_REGISTRYINDEX, &MARKS);
    lua_rawgeti(guest, 2, 1);
    lua_Integer order = lua_tointeger(guest, -1) + 1;
    lua_pushinteger(guest, order);
    lua_rawseti(guest, 2, 1);
    lua_pushvalue(guest, 1);
    lua_createtable(guest, 3, 0);
    lua_pushvalue(guest, lua_upvalueindex(1));
    lua_rawseti(guest, -2, 1);
    lua_pushinteger(guest, guest_line(guest));
    lua_rawseti(guest, -2, 2);
    lua_pushinteger(guest, order);
    lua_rawseti(guest, -2, 3);
    lua_rawset(guest, 2);
    lua_settop(guest, 1);
    return 1;
}

enum { TEXT = 1, FILE_NAME, KINDS, HELPERS, SELF, LIST }; /* the host's stack while a file is read */

/* Runs in a protected call of the guest: defines the constructors and helpers as globals. */
static int furnish(lua_State *guest) {
    struct crossing *c = lua_touserdata(guest, 1);
    lua_newtable(guest);
    lua_rawsetp(guest, LUA_REGISTRYINDEX, &MARKS);
    lua_newtable(guest);
    lua_rawsetp(guest, LUA_REGISTRYINDEX, &FUNCTIONS);
    copy(c, KINDS);
    for (lua_Integer i = 1; lua_rawgeti(guest, 2, i) == LUA_TSTRING; i++) {
        lua_pushvalue(guest, -1);
        lua_pushcclosure(guest, construct, 1);
        lua_setglobal(guest, lua_tostring(guest, -2));
        lua_settop(guest, 2);
    }
    lua_settop(guest, 1);
    copy(c, HELPERS);
    for (lua_pushnil(guest); lua_next(guest, 2) != 0;)
        lua_setglobal(guest, lua_tostring(guest, -2));
    lua_pushnil(guest);
    return 1;
}

/* Puts the argument's fields at their stack indexes. Returns the file's text. */
static const char *take_arguments(lua_State *host, size_t *length) {
    static const char *const names[] = {"text", "file", "kinds", "helpers"};
    luaL_checktype(host, 1, LUA_TTABLE);
    lua_settop(host, 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        lua_getfield(host, 1, names[i]);
    lua_remove(host, 1);
    luaL_checktype(host, KINDS, LUA_TTABLE);
    luaL_checktype(host, HELPERS, LUA_TTABLE);
    luaL_checkstring(host, FILE_NAME);
    return luaL_checklstring(host, TEXT, length);
}

/* See bridge.h. */
static int run(lua_State *host) {
    size_t length;
    long left = CROSSING_MOST;
    const char *text = take_arguments(host, &length);
    struct sandbox *sandbox = lua_newuserdatauv(host, sizeof *sandbox, 1);
    memset(sandbox, 0, sizeof *sandbox);
    luaL_setmetatable(host, METATABLE);
    lua_newtable(host);
    lua_pushvalue(host, LIST);
    lua_setiuservalue(host, SELF, 1);
    inspect(host, HELPERS, LIST, 0, &left); /* helpers are the suite's own functions */
    sandbox->guest = guest_open(lua_tostring(host, FILE_NAME), GUEST_INSTRUCTIONS);
    if (sandbox->guest == NULL)
        return luaL_error(host, "%s:1: no memory to read it", lua_tostring(host, FILE_NAME));
    lua_State *guest = guest_lua(sandbox->guest);
    struct crossing in = {.sandbox = sandbox, .from = host, .to = guest, .self = SELF};
    lua_pushcfunction(guest, furnish);
    lua_pushlightuserdata(guest, &in);
    call_protected(sandbox, host, SELF, 1);
    lua_settop(guest, 0);
    lua_pushcfunction(guest, evaluate);
    if (guest_load(sandbox->guest, text, length, sandbox->message) != 0) {
        lua_pushstring(host, sandbox->message);
        return lua_error(host);
    }
    call_protected(sandbox, host, SELF, 1);
    lua_newtable(host);
    int marks = lua_gettop(host);
    take_result(sandbox, host, SELF, marks);
    lua_insert(host, marks);
    return 2;
}

static int release(lua_State *host) {
    struct sandbox *sandbox = lua_touserdata(host, 1);
    guest_close(sandbox->guest);
    sandbox->guest = NULL;
    return 0;
}

int luaopen_sandbox(lua_State *lua) {
    luaL_newmetatable(lua, METATABLE);
    lua_pushcfunction(lua, release);
    lua_setfield(lua, -2, "__gc");
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, run);
    lua_setfield(lua, -2, "run");
    return 1;
}
