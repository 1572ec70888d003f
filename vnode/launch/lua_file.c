/* lua_file.c - reads data files in Lua.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lua_file.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/guest.h"

/* Far more than any table of numbers needs. */
enum { TEXT_MAX = 1 << 20, INSTRUCTIONS_MAX = 1000000 };

/* Registry key: lines of the tables passed to constructors. */
static const char marks[] = "marks";

/* ---- running the file ---- */

static int construct(lua_State *lua) {
    if (!lua_istable(lua, 1))
        return luaL_error(lua, "%s takes a table", lua_tostring(lua, lua_upvalueindex(1)));
    lua_settop(lua, 1);
    lua_getfield(lua, LUA_REGISTRYINDEX, marks);
    lua_pushvalue(lua, 1);
    lua_pushinteger(lua, guest_line(lua));
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
    return 1;
}

/* __index of the globals: makes a constructor for the name, unless the name is one of Lua's own that guests do not
 * see. */
static int constructor_of(lua_State *lua) {
    lua_settop(lua, 2);
    lua_pushvalue(lua, 2);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL)
        return 0;
    lua_pop(lua, 1);
    lua_pushcclosure(lua, construct, 1);
    return 1;
}

/* Pushes the set of Lua's own global names. */
static void push_names_of_lua(lua_State *lua) {
    lua_State *whole = luaL_newstate();
    lua_newtable(lua);
    if (!whole)
        luaL_error(lua, "out of memory");
    luaL_openlibs(whole);
    lua_pushglobaltable(whole);
    for (lua_pushnil(whole); lua_next(whole, -2); lua_pop(whole, 1)) {
        lua_pushboolean(lua, 1);
        lua_setfield(lua, -2, lua_tostring(whole, -2));
    }
    lua_close(whole);
}

static int add_constructors(lua_State *lua) {
    lua_newtable(lua);
    lua_setfield(lua, LUA_REGISTRYINDEX, marks);
    lua_pushglobaltable(lua);
    lua_newtable(lua);
    push_names_of_lua(lua);
    lua_pushcclosure(lua, constructor_of, 1);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    return 0;
}

/* The file's text, to be freed by the caller; NULL and the reason. */
static char *read_text(const char *path, size_t *length, char message[GUEST_MESSAGE]) {
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(TEXT_MAX) : NULL;
    *length = text ? fread(text, 1, TEXT_MAX, file) : 0;
    int failed = !text || ferror(file) || *length == TEXT_MAX;
    if (failed)
        snprintf(message, GUEST_MESSAGE, "%s:1: %s", path,
                 *length == TEXT_MAX ? "too large for a description" : "cannot read it");
    if (file)
        fclose(file);
    if (!failed)
        return text;
    free(text);
    return NULL;
}

/* Arguments of the reader, which runs in the file's Lua state. */
struct reading {
    const struct lua_file *file;
    lua_file_reader *read;
    void *out;
    const char *wrong;
};

/* Runs in a protected call of the guest. Arguments: the reading, and the file's result. */
static int read_protected(lua_State *lua) {
    struct reading *reading = lua_touserdata(lua, 1);
    if (lua_istable(lua, 2)) {
        reading->wrong = reading->read(reading->file, reading->out);
    } else {
        const struct lua_file *file = reading->file;
        snprintf(file->error, file->error_size, "%s:1: the file returns a table", file->path);
        reading->wrong = file->error;
    }
    return 0;
}

/* 0, or -1 with a message; `reading->wrong`: the error of a field. */
static int run_file(struct guest *guest, struct reading *reading, char message[GUEST_MESSAGE]) {
    size_t length;
    lua_State *lua = guest_lua(guest);
    lua_pushcfunction(lua, add_constructors);
    if (guest_call(guest, 0, 0, message) != 0)
        return -1;
    char *text = read_text(reading->file->path, &length, message);
    int status = text ? guest_load(guest, text, length, message) : -1;
    free(text);
    if (status != 0 || guest_call(guest, 0, 1, message) != 0)
        return -1;
    lua_pushcfunction(lua, read_protected);
    lua_insert(lua, 1);
    lua_pushlightuserdata(lua, reading);
    lua_insert(lua, 2);
    return guest_call(guest, 2, 0, message);
}

/* Replaces line ends and terminal control characters, which the file's names and texts may contain. */
static void make_one_line(char *text) {
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

const char *lua_file_read(const char *path, lua_file_reader *read, void *out, char *error, size_t error_size) {
    char message[GUEST_MESSAGE];
    struct guest *guest = guest_open(path, INSTRUCTIONS_MAX);
    if (!guest) {
        snprintf(error, error_size, "%s:1: out of memory", path);
        return error;
    }
    struct lua_file file = {.path = path, .lua = guest_lua(guest), .error = error, .error_size = error_size};
    struct reading reading = {.file = &file, .read = read, .out = out};
    if (run_file(guest, &reading, message) != 0) {
        snprintf(error, error_size, "%s", message);
        reading.wrong = error;
    }
    guest_close(guest);
    if (reading.wrong)
        make_one_line(error);
    return reading.wrong;
}

/* ---- places ---- */

struct lua_place lua_file_place(const struct lua_file *file, const char *name, int line) {
    struct lua_place place = {.name = name, .line = line};
    lua_getfield(file->lua, LUA_REGISTRYINDEX, marks);
    lua_pushvalue(file->lua, -2);
    lua_rawget(file->lua, -2);
    if (lua_isinteger(file->lua, -1))
        place.line = (int)lua_tointeger(file->lua, -1);
    lua_pop(file->lua, 2);
    return place;
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the line assigns a field of that name. */
static int gives(const char *line, const char *field) {
    size_t length = strlen(field);
    for (const char *at = strstr(line, field); at; at = strstr(at + 1, field)) {
        const char *behind = at + length + strspn(at + length, " \t");
        if ((at == line || !is_name(at[-1])) && !is_name(at[length]) && behind[0] == '=' && behind[1] != '=')
            return 1;
    }
    return 0;
}

/* Falls back to the table's line. */
int lua_file_line_of(const struct lua_file *file, const struct lua_place *place, const char *field) {
    char line[512];
    FILE *text = fopen(file->path, "re");
    int row = 0, found = 0;
    while (text && *field && !found && fgets(line, sizeof line, text))
        found = ++row >= place->line && gives(line, field);
    if (text)
        fclose(text);
    return found ? row : place->line;
}

static const char *complain(const struct lua_file *file, const struct lua_place *place, const char *field,
                            const char *what, int line) {
    snprintf(file->error, file->error_size, "%s:%d: %s%s%s %s", file->path, line, place->name ? place->name : "",
             place->name && *field ? "." : "", field, what);
    return file->error;
}

const char *lua_file_complain(const struct lua_file *file, const struct lua_place *place, const char *field,
                              const char *what) {
    return complain(file, place, field, what, lua_file_line_of(file, place, field));
}

/* ---- fields ---- */

static const char *store_text(lua_State *lua, const struct field *field, char *at) {
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (!text || strlen(text) >= field->size || strpbrk(text, "\n/"))
        return "must be a short text";
    strcpy(at, text);
    return NULL;
}

static const char *store_word(lua_State *lua, const struct field *field, char *at) {
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    for (uint32_t i = 0; field->words[i]; i++)
        if (strcmp(field->words[i], text) == 0) {
            memcpy(at, &i, sizeof i);
            return NULL;
        }
    return "must be one of";
}

static const char *store_number(lua_State *lua, const struct field *field, char *at) {
    int whole = 0;
    lua_Integer value = lua_tointegerx(lua, -1, &whole);
    if (!whole || lua_type(lua, -1) != LUA_TNUMBER || value < 0)
        return "must be a whole number";
    if ((uint64_t)value < field->low || (uint64_t)value > field->high)
        return "is out of range";
    uint32_t narrow = (uint32_t)value;
    uint64_t wide = (uint64_t)value;
    if (field->kind == FIELD_NUMBER32)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &wide, sizeof wide);
    return NULL;
}

/* The field's value is on top of the stack. NULL, or what is wrong with it. */
static const char *store(lua_State *lua, const struct field *field, void *out) {
    char *at = (char *)out + field->offset;
    if (lua_isnil(lua, -1))
        return field->optional ? NULL : "is missing";
    if (field->kind == FIELD_TEXT)
        return store_text(lua, field, at);
    if (field->kind == FIELD_WORD)
        return store_word(lua, field, at);
    if (field->kind == FIELD_TRUTH) {
        uint32_t truth = (uint32_t)lua_toboolean(lua, -1);
        memcpy(at, &truth, sizeof truth);
        return lua_isboolean(lua, -1) ? NULL : "must be true or false";
    }
    if (field->words && lua_type(lua, -1) == LUA_TSTRING && strcmp(lua_tostring(lua, -1), field->words[0]) == 0) {
        memset(at, 0, sizeof(uint32_t));
        return NULL;
    }
    return store_number(lua, field, at);
}

/* What is wrong with the field, with the words that it may be. */
static const char *with_words(const char *wrong, const struct field *field, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "%s", wrong);
    for (uint32_t i = 0; field->words[i] && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s %s", i ? "," : "", field->words[i]);
    return text;
}

static int is_known(const char *name, const struct field *fields, size_t count, const char *const *others) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return 1;
    for (; others && *others; others++)
        if (strcmp(*others, name) == 0)
            return 1;
    return 0;
}

const char *lua_file_fields(const struct lua_file *file, const struct lua_place *place, const struct field *fields,
                            size_t count, const char *const *others, void *out) {
    lua_State *lua = file->lua;
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        if (!is_known(name, fields, count, others))
            return lua_file_complain(file, place, name, "is not known here");
    }
    for (size_t i = 0; i < count; i++) {
        int is_there = lua_getfield(lua, -1, fields[i].name) != LUA_TNIL;
        const char *wrong = store(lua, &fields[i], out);
        char words[100];
        lua_pop(lua, 1);
        if (wrong && is_there && fields[i].kind == FIELD_WORD)
            wrong = with_words(wrong, &fields[i], words, sizeof words);
        if (wrong)
            return complain(file, place, fields[i].name, wrong,
                            is_there ? lua_file_line_of(file, place, fields[i].name) : place->line);
    }
    return NULL;
}

const char *lua_file_table(const struct lua_file *file, const struct lua_place *place, const char *field,
                           struct lua_place *out) {
    if (lua_getfield(file->lua, -1, field) != LUA_TTABLE) {
        lua_pop(file->lua, 1);
        return lua_file_complain(file, place, field, "must be a table");
    }
    *out = lua_file_place(file, field, lua_file_line_of(file, place, field));
    return NULL;
}
