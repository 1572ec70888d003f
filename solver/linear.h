/* linear.h - the Lua module `linear` for the suite's own Lua: linear programs, solved by GLPK's simplex method.
 *
 *   linear.solve { columns = array of { low = |nil, high = |nil }, rows = array of { low = |nil, high = |nil,
 *                  terms = { [column] = number } }, objective = { [column] = number }, maximise = bool,
 *                  iterations = |nil }
 *     -> { value =, columns = array of numbers, duals = array of numbers, one per row }
 * or nil and "infeasible" (proved in rational arithmetic, not taken from a rounded solution), "unbounded", or "not
 * solved" (the method failed or exceeded `iterations`; the default is far above the usual number). A nil bound means
 * unbounded. A row's value is the sum of its terms, numbers times columns; a row with a nonzero dual limits the
 * objective. Numbers that are not finite and columns that do not exist are errors. */
#ifndef ASSAY_LINEAR_H
#define ASSAY_LINEAR_H

#include <lua.h>

int luaopen_linear(lua_State *lua);

#endif
