/* lua_file.h - data files in Lua as the launcher reads them: run as guests (sandbox/guest.h), their fields checked.
 *
 * Every name that means nothing in such a file is a constructor, NAME { .. }: it returns its table, and the line it
 * stands on is what messages about the table name. The host program's own reader (lua/input/schema.lua) knows which
 * constructors there are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_LUA_FILE_H
#define ASSAY_LAUNCH_LUA_FILE_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

struct lua_file {
    const char *path;
    lua_State *lua;
    char *error; /* of error_size bytes: one line "FILE:LINE: what" */
    size_t error_size;
};

/* What the file returned is on top of the stack. NULL, or what is wrong: file->error. */
typedef const char *lua_file_reader(const struct lua_file *file, void *out);

/* Runs the file and `read`s what it returned. NULL, or `error`. */
const char *lua_file_read(const char *path, lua_file_reader *read, void *out, char *error, size_t error_size);

/* A table of the file, for messages: "processor.line is missing". */
struct lua_place {
    const char *name; /* NULL: what the file returns */
    int line;         /* where it begins */
};

/* The place of the table on top of the stack. `name` must live as long as the place; `line` counts unless a constructor
 * was given the table. */
struct lua_place lua_file_place(const struct lua_file *file, const char *name, int line);

/* Says that a field of the table is wrong, with the line that gives it a value. Returns file->error. */
const char *lua_file_complain(const struct lua_file *file, const struct lua_place *place, const char *field,
                              const char *what);
int lua_file_line_of(const struct lua_file *file, const struct lua_place *place, const char *field);

enum field_kind { FIELD_TEXT, FIELD_WORD, FIELD_TRUTH, FIELD_NUMBER32, FIELD_NUMBER64 };

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset, size;      /* where its value goes; size: of texts. A word is its place among `words` */
    uint64_t low, high;       /* range of numbers */
    const char *const *words; /* of a word: those it may be, NULL-ended; of a number: the word that stands for 0 */
    int optional;             /* without it what is there stays */
};

/* Reads the fields of the table on top of the stack into `out`. Other fields than these and `others` (NULL-ended, the
 * caller reads them) are refused. NULL, or file->error. */
const char *lua_file_fields(const struct lua_file *file, const struct lua_place *place, const struct field *fields,
                            size_t count, const char *const *others, void *out);

/* Pushes a field of the table on top of the stack, which must be a table itself, and tells its place. NULL, or
 * file->error with nothing pushed. */
const char *lua_file_table(const struct lua_file *file, const struct lua_place *place, const char *field,
                           struct lua_place *out);

#endif
