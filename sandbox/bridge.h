/* bridge.h - the Lua module `sandbox` for the suite's own Lua: runs data files as guests and calls their functions.
 *
 *   sandbox.run { text =, file =, kinds = array of names, helpers = { name = function } } -> result, marks
 * runs the text in a state of its own (guest.h), in which each kind is a constructor that takes and returns a table,
 * and each helper is a function. `result` is a copy of what the file returned, and marks[table] = { kind =, line =,
 * order = } says of every table in it that a constructor was given which one it was, where, and as the how manieth.
 * Functions in it are called like any other: arguments and results are copied, within the file's limits. A function
 * among the arguments may be called back until the call ends. Raises "FILE:LINE: what". */
#ifndef ASSAY_BRIDGE_H
#define ASSAY_BRIDGE_H

#include <lua.h>

int luaopen_sandbox(lua_State *lua);

#endif
