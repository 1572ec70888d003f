/* script.h - the embedded Lua: models, planning, judgement and tables are Lua; C calls them with JSON values.
 *
 * All that C calls are the doors of lua/doors/list.lua: each takes one value and returns one value, whose fields it
 * declares and lua/doors/call.lua checks. JSON objects and arrays become tables; null becomes nil, so an
 * absent value stays absent. Coming back, a table with a border (#t > 0) is an array, any other an object; an empty
 * table is an empty object unless its metatable's __name is "array". */
#ifndef ASSAY_SCRIPT_H
#define ASSAY_SCRIPT_H

#include <jansson.h>

#include "error.h"

struct script;

/* A Lua state that finds modules in DATA/lua. NULL and the reason if Lua or the modules do not load. */
struct script *script_open(const char *data_folder, struct error *error);
void script_close(struct script *script);

/* From now on a call fails soon after is_asked() is nonzero, whatever Lua does meanwhile. */
void script_stop_when(struct script *script, int (*is_asked)(void));

/* Calls a door, "DOOR" or "DOOR:KIND", and releases the argument. Returns a new reference, or NULL and Lua's message
 * (without a traceback). No argument is an error as well. */
json_t *script_call(struct script *script, const char *door, json_t *argument, struct error *error);

/* The same in a Lua state for this call alone. */
json_t *script_call_once(const char *data_folder, const char *door, json_t *argument, struct error *error);

/* { text = whole file, file = its path }, a new reference; NULL and the reason. */
json_t *script_file(const char *file, struct error *error);

/* script_call() with script_file(). */
json_t *script_read(struct script *script, const char *door, const char *file, struct error *error);

#endif
