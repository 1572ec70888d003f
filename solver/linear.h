/* linear.h - the Lua module `linear` for the suite's own Lua: linear programs, solved by GLPK's simplex method.
 *
 *   linear.solve { columns = array of { low = |nil, high = |nil }, rows = array of { low = |nil, high = |nil,
 *                  terms = { [column] = number } }, objective = { [column] = number }, maximise = bool,
 *                  iterations = |nil }
 *     -> { value =, columns = array of numbers, duals = array of numbers, one a row }
 * or nil and "infeasible" (proved in rational arithmetic, not believed of a rounded solution), "unbounded", or "not
 * solved" (the method gave up, or took more than `iterations`, which are by default many more than it usually takes).
 * A bound that is nil is none; a row's value is the sum of its terms, numbers times columns, and a row whose dual is
 * not 0 is one that keeps the objective from being better. Numbers that are not finite, and columns that are not there,
 * are errors. */
#ifndef ASSAY_LINEAR_H
#define ASSAY_LINEAR_H

#include <lua.h>

int luaopen_linear(lua_State *lua);

#endif
