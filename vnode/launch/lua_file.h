/* lua_file.h - Lua data files of the launcher: runs them as guests (sandbox/guest.h) and checks their fields.
 *
 * Any undefined name in such a file is a constructor, NAME { .. }: it returns its table and records its line for
 * messages. The host program's reader (lua/input/schema.lua) knows the valid constructors.
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

/* Reads the file's result from the top of the stack. NULL, or the error: file->error. */
typedef const char *lua_file_reader(const struct lua_file *file, void *out);

/* Runs the file and calls `read` on its result. NULL, or `error`. */
const char *lua_file_read(const char *path, lua_file_reader *read, void *out, char *error, size_t error_size);

/* A table of the file, for messages: "processor.line is missing". */
struct lua_place {
    const char *name; /* NULL: the file's result */
    int line;         /* line where it begins */
};

/* The place of the table on top of the stack. `name` must live as long as the place; `line` is used if the table has
 * no constructor. */
struct lua_place lua_file_place(const struct lua_file *file, const char *name, int line);

/* Reports that a field of the table is wrong, with the line that sets it. Returns file->error. */
const char *lua_file_complain(const struct lua_file *file, const struct lua_place *place, const char *field,
                              const char *what);
int lua_file_line_of(const struct lua_file *file, const struct lua_place *place, const char *field);

enum field_kind { FIELD_TEXT, FIELD_WORD, FIELD_TRUTH, FIELD_NUMBER32, FIELD_NUMBER64 };

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset, size;      /* destination in `out`; size: of texts. A word is stored as its index in `words` */
    uint64_t low, high;       /* range of numbers */
    const char *const *words; /* allowed words, NULL-ended; for a number: the word for 0 */
    int optional;             /* if missing, the destination keeps its value */
};

/* Reads the fields of the table on top of the stack into `out`. Rejects fields that are neither here nor in `others`
 * (NULL-ended, read by the caller). NULL, or file->error. */
const char *lua_file_fields(const struct lua_file *file, const struct lua_place *place, const struct field *fields,
                            size_t count, const char *const *others, void *out);

/* Pushes a field, which must be a table, of the table on top of the stack, and returns its place. NULL, or
 * file->error with nothing pushed. */
const char *lua_file_table(const struct lua_file *file, const struct lua_place *place, const char *field,
                           struct lua_place *out);

#endif
