/* guest.h - a Lua state for one data file: its own libraries, few and harmless, and limits on what it may use.
 *
 * The file may compute with numbers and short texts. Nothing that it can reach belongs to anyone else, and nothing
 * leads out of the state: no files, no processes, no other chunks, no metatables, no coroutines, no protected calls (so
 * that nothing swallows a limit). Functions whose work does not follow from the size of their arguments (pattern
 * matching, sorting, moving ranges) are left out: the limits are looked at between instructions, and each instruction
 * is short. */
#ifndef ASSAY_GUEST_H
#define ASSAY_GUEST_H

#include <lua.h>
#include <stddef.h>

/* For all of a file: what it makes, loading it and every call of its functions. The suite's own files need less than a
 * hundredth of each. */
enum { GUEST_BYTES = 16 << 20, GUEST_INSTRUCTIONS = 500 * 1000 * 1000, GUEST_SECONDS = 10 };

enum { GUEST_MESSAGE = 512 };

/* The chunk's name to Lua, which would cut a long one: in messages the file's own stands for it. */
#define GUEST_CHUNK "\1"

struct guest;

/* `file` is the name that messages give; `instructions`: as many Lua instructions as it may take in all,
 * GUEST_INSTRUCTIONS for one that computes. NULL without memory. */
struct guest *guest_open(const char *file, long instructions);
void guest_close(struct guest *guest);

/* Its state, to put arguments on and take results from; what may raise an error there belongs into guest_call(). */
lua_State *guest_lua(struct guest *guest);

/* Pushes the text as a function. 0, or -1 with "FILE:LINE: what" in `message`. */
int guest_load(struct guest *guest, const char *text, size_t length, char message[GUEST_MESSAGE]);

/* Calls the function below its `arguments` within the limits. 0 with `results` pushed, or -1 with "FILE:LINE: what" in
 * `message` and nothing pushed. */
int guest_call(struct guest *guest, int arguments, int results, char message[GUEST_MESSAGE]);

/* The line of the file that is executed now, seen from a C function that it called; 0 if there is none. */
int guest_line(lua_State *lua);

#endif
