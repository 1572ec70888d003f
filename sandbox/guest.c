/* guest.c - data files in Lua states of their own. SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Instructions between two checks of the limits: with the slowest instruction, on a text of maximum length, this
 * takes some milliseconds. */
enum { STEP = 100, TEXT_MOST = 1 << 20 };
/* Filling allocated memory takes time that Lua's instruction count does not show: so many bytes count as one. */
enum { BYTES_PER_INSTRUCTION = 8 };

/* Processor time never runs faster than real time, and asking for it is a system call, which takes as long as 100
 * instructions: it is asked this often. */
static const double LOOK_SECONDS = 0.01;

struct guest {
    lua_State *lua;
    char file[256];
    size_t bytes;
    long instructions, most;
    double seconds, started; /* processor time of ended calls; start of the current call */
    double looked;           /* at the processor time, by coarse real time */
    int line;                /* line of the last error */
};

static double time_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void) {
    return time_of(CLOCK_THREAD_CPUTIME_ID);
}

int guest_line(lua_State *lua) {
    lua_Debug at;
    for (int level = 0; lua_getstack(lua, level, &at); level++) {
        if (lua_getinfo(lua, "l", &at) && at.currentline > 0)
            return at.currentline;
    }
    return 0;
}

/* Stores the current line for a message; after the call there is none. */
static void note_line(struct guest *guest) {
    int line = guest_line(guest->lua);
    if (line > 0)
        guest->line = line;
}

/* Lua's allocator. Stores the line, because the stack is gone when Lua reports out of memory. */
static void *allocate(void *context, void *block, size_t old, size_t size) {
    struct guest *guest = context;
    if (block == NULL)
        old = 0;
    if (size == 0) {
        free(block);
        guest->bytes -= old;
        return NULL;
    }
    if (size > old && guest->bytes + (size - old) > GUEST_BYTES) {
        if (guest->lua != NULL)
            note_line(guest);
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL) {
        guest->bytes += size - old;
        guest->instructions += (long)(size / BYTES_PER_INSTRUCTION);
    }
    return moved;
}

static struct guest *guest_of(lua_State *lua) {
    void *context;
    lua_getallocf(lua, &context);
    return context;
}

static void check_limits(lua_State *lua, lua_Debug *at) {
    (void)at;
    struct guest *guest = guest_of(lua);
    guest->instructions += STEP;
    if (guest->instructions > guest->most)
        luaL_error(lua, "takes more than %d million instructions", (int)(guest->most / 1000000));
    double real = time_of(CLOCK_MONOTONIC_COARSE);
    if (real - guest->looked < LOOK_SECONDS)
        return;
    guest->looked = real;
    if (guest->seconds + now() - guest->started > GUEST_SECONDS)
        luaL_error(lua, "takes more than %d seconds", GUEST_SECONDS);
}

/* string.rep: Lua's own would loop forever with an empty text. */
static int repeat(lua_State *lua) {
    size_t length;
    const char *text = luaL_checklstring(lua, 1, &length);
    lua_Integer times = luaL_checkinteger(lua, 2);
    luaL_Buffer buffer;
    if (times > TEXT_MOST || length > TEXT_MOST || (times > 0 && (size_t)times * length > TEXT_MOST))
        return luaL_error(lua, "rep makes a text of more than %d MiB", TEXT_MOST >> 20);
    luaL_buffinit(lua, &buffer);
    for (lua_Integer i = 0; i < times; i++)
        luaL_addlstring(&buffer, text, length);
    luaL_pushresult(&buffer);
    return 1;
}

/* Removes all other fields from the table on top of the stack. */
static void keep(lua_State *lua, const char *const names[]) {
    lua_newtable(lua);
    for (; *names != NULL; names++) {
        lua_getfield(lua, -2, *names);
        lua_setfield(lua, -2, *names);
    }
    for (lua_pushnil(lua); lua_next(lua, -3) != 0;) {
        lua_pop(lua, 1);
        lua_pushvalue(lua, -1);
        lua_gettable(lua, -3);
        int kept = !lua_isnil(lua, -1);
        lua_pop(lua, 1);
        if (!kept) {
            lua_pushvalue(lua, -1);
            lua_pushnil(lua);
            lua_settable(lua, -5); /* Lua allows clearing a field during traversal */
        }
    }
    lua_pop(lua, 1);
}

static int open_libraries(lua_State *lua) {
    static const char *const base[] = {"assert", "error",    "ipairs",   "next", "pairs",
                                       "select", "tonumber", "tostring", "type", NULL};
    static const char *const math[] = {"abs", "acos",       "asin", "atan", "ceil", "cos", "deg",
                                       "exp", "floor",      "fmod", "huge", "log",  "max", "maxinteger",
                                       "min", "mininteger", "modf", "pi",   "rad",  "sin", "sqrt",
                                       "tan", "tointeger",  "type", "ult",  NULL};
    static const char *const string[] = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", NULL};
    static const char *const table[] = {"concat", "unpack", NULL};
    static const struct {
        const char *name;
        lua_CFunction open;
        const char *const *names;
    } libraries[] = {{"_G", luaopen_base, base},
                     {LUA_MATHLIBNAME, luaopen_math, math},
                     {LUA_STRLIBNAME, luaopen_string, string},
                     {LUA_TABLIBNAME, luaopen_table, table}};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].open, i > 0);
        keep(lua, libraries[i].names);
        lua_pop(lua, 1);
    }
    lua_getglobal(lua, LUA_STRLIBNAME);
    lua_pushcfunction(lua, repeat);
    lua_setfield(lua, -2, "rep");
    return 0;
}

struct guest *guest_open(const char *file, long instructions) {
    char message[GUEST_MESSAGE];
    struct guest *guest = calloc(1, sizeof *guest);
    if (guest == NULL)
        return NULL;
    snprintf(guest->file, sizeof guest->file, "%s", file);
    guest->line = 1;
    guest->most = instructions;
    guest->lua = lua_newstate(allocate, guest);
    if (guest->lua != NULL) {
        lua_sethook(guest->lua, check_limits, LUA_MASKCOUNT, STEP);
        lua_pushcfunction(guest->lua, open_libraries);
        if (guest_call(guest, 0, 0, message) == 0)
            return guest;
    }
    guest_close(guest);
    return NULL;
}

void guest_close(struct guest *guest) {
    if (guest == NULL)
        return;
    if (guest->lua != NULL)
        lua_close(guest->lua);
    free(guest);
}

lua_State *guest_lua(struct guest *guest) {
    return guest->lua;
}

/* Pops the error. Positions in the file begin with GUEST_CHUNK and the line. */
static int explain(struct guest *guest, int status, char message[GUEST_MESSAGE]) {
    lua_State *lua = guest->lua;
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (status == LUA_ERRMEM)
        snprintf(message, GUEST_MESSAGE, "%s:%d: takes more than %d MiB of memory", guest->file, guest->line,
                 GUEST_BYTES >> 20);
    else if (text == NULL)
        snprintf(message, GUEST_MESSAGE, "%s:%d: raises a %s", guest->file, guest->line, luaL_typename(lua, -1));
    else if (text[0] == GUEST_CHUNK[0] && text[1] == ':')
        snprintf(message, GUEST_MESSAGE, "%s%s", guest->file, text + 1);
    else
        snprintf(message, GUEST_MESSAGE, "%s:%d: %s", guest->file, guest->line, text);
    message[strcspn(message, "\n")] = '\0';
    lua_pop(lua, 1);
    return -1;
}

/* Message handler: stores the line and returns its argument, the message. */
static int note_error(lua_State *lua) {
    note_line(guest_of(lua));
    return 1;
}

int guest_load(struct guest *guest, const char *text, size_t length, char message[GUEST_MESSAGE]) {
    guest->line = 1;
    int status = luaL_loadbufferx(guest->lua, text, length, "=" GUEST_CHUNK, "t");
    return status == LUA_OK ? 0 : explain(guest, status, message);
}

int guest_call(struct guest *guest, int arguments, int results, char message[GUEST_MESSAGE]) {
    lua_State *lua = guest->lua;
    int handler = lua_gettop(lua) - arguments;
    guest->line = 1;
    guest->started = now();
    lua_pushcfunction(lua, note_error);
    lua_insert(lua, handler);
    int status = lua_pcall(lua, arguments, results, handler);
    lua_remove(lua, handler);
    guest->seconds += now() - guest->started;
    return status == LUA_OK ? 0 : explain(guest, status, message);
}
