/* script.h - the embedded Lua: models, planning, judgement and tables are Lua; C calls them with JSON values.
 * C calls only the doors, the functions listed in lua/doors/list.lua. A door takes one value and returns one value; it
 * declares the fields of both, and lua/doors/call.lua checks them. JSON objects and arrays become tables; null becomes
 * nil, so an absent value stays absent. In the result a table with #t > 0 becomes an array, any other an object; an
 * empty table becomes an empty object unless its metatable's __name is "array". */
#ifndef ASSAY_SCRIPT_H
#define ASSAY_SCRIPT_H

#include <jansson.h>

#include "error.h"

struct script;

/* Opens a Lua state that finds modules in DATA/lua; the first call of a door loads them. NULL: no memory for Lua. */
struct script *script_open(const char *data_folder, struct error *error);
void script_close(struct script *script);

/* From now on a running call fails soon after is_asked() becomes nonzero, even in an endless Lua loop. */
void script_stop_when(struct script *script, int (*is_asked)(void));

/* Calls a door, "DOOR" or "DOOR:KIND", and releases the argument. Returns a new reference, or NULL with Lua's message
 * (without a traceback). A NULL argument is an error. */
json_t *script_call(struct script *script, const char *door, json_t *argument, struct error *error);

/* Like script_call(), in a Lua state opened for this call. */
json_t *script_call_once(const char *data_folder, const char *door, json_t *argument, struct error *error);

/* { text = the file's contents, file = its path }, a new reference; NULL with the reason. */
json_t *script_file(const char *file, struct error *error);

/* script_call() with the argument script_file(file). */
json_t *script_read(struct script *script, const char *door, const char *file, struct error *error);

#endif
