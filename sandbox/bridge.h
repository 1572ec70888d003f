/* bridge.h - the Lua module `sandbox` for the suite's own Lua: runs data files as guests and calls their functions.
 *
 *   sandbox.run { text =, file =, kinds = array of names, helpers = { name = function } } -> result, marks
 * runs the text in a separate state (guest.h). Each kind is a constructor that takes and returns a table; each helper
 * is a function. `result` is a copy of the file's result. marks[table] = { kind =, line =, order = } gives, for every
 * table in it that was passed to a constructor, the constructor, its line and its index. Functions in the result can
 * be called: arguments and results are copied, within the file's limits. A function among the arguments may be called
 * back until the call ends. Raises "FILE:LINE: what". */
#ifndef ASSAY_BRIDGE_H
#define ASSAY_BRIDGE_H

#include <lua.h>

int luaopen_sandbox(lua_State *lua);

#endif
