/* guest.h - a Lua state for one data file, with few harmless libraries and resource limits.
 *
 * The file may compute with numbers and short texts. It reaches no data of others and nothing outside of the state:
 * no files, processes, other chunks, metatables, coroutines, or protected calls (which could catch the error of a
 * limit). Limits are checked between instructions, so each must be short. Functions whose run time does not follow
 * from the size of their arguments (pattern matching, sorting, moving ranges) are left out. */
#ifndef ASSAY_GUEST_H
#define ASSAY_GUEST_H

#include <lua.h>
#include <stddef.h>

/* Limits for a file in total: loading it and all calls of its functions. The suite's own files need less than a
 * fifth of each. */
enum { GUEST_BYTES = 16 << 20, GUEST_INSTRUCTIONS = 500 * 1000 * 1000, GUEST_SECONDS = 10 };

enum { GUEST_MESSAGE = 512 };

/* The chunk's name for Lua, which would truncate a long one; messages replace it by the file's name. */
#define GUEST_CHUNK "\1"

struct guest;

/* `file`: name in messages; `instructions`: total limit of Lua instructions, GUEST_INSTRUCTIONS for a file that
 * computes. NULL: out of memory. */
struct guest *guest_open(const char *file, long instructions);
void guest_close(struct guest *guest);

/* Its state, for passing arguments and results; code that may raise an error must run in guest_call(). */
lua_State *guest_lua(struct guest *guest);

/* Compiles the text and pushes it as a function. 0, or -1 with "FILE:LINE: what" in `message`. */
int guest_load(struct guest *guest, const char *text, size_t length, char message[GUEST_MESSAGE]);

/* Calls the function below its `arguments` within the limits. 0 with `results` pushed, or -1 with "FILE:LINE: what" in
 * `message` and nothing pushed. */
int guest_call(struct guest *guest, int arguments, int results, char message[GUEST_MESSAGE]);

/* The line being executed in the file, for a C function that it called; 0: none. */
int guest_line(lua_State *lua);

#endif
