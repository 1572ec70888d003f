/* linear.c - converts Lua tables to a linear program of GLPK, and its solution back.
 *
 * Everything that may raise a Lua error happens before GLPK's linear program exists, or while a userdata owns it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "linear.h"

#include <glpk.h>
#include <lauxlib.h>
#include <limits.h>
#include <math.h>

static const char METATABLE[] = "assay.linear";

/* Resources of a call of solve(), which Lua frees in any case. */
struct linear_program {
    glp_prob *problem;
};

static int collect(lua_State *lua) {
    struct linear_program *linear_program = luaL_checkudata(lua, 1, METATABLE);
    if (linear_program->problem != NULL)
        glp_delete_prob(linear_program->problem);
    linear_program->problem = NULL;
    return 0;
}

static struct linear_program *new_linear_program(lua_State *lua) {
    struct linear_program *linear_program = lua_newuserdatauv(lua, sizeof *linear_program, 0);
    linear_program->problem = NULL;
    if (luaL_newmetatable(lua, METATABLE)) {
        lua_pushcfunction(lua, collect);
        lua_setfield(lua, -2, "__gc");
    }
    lua_setmetatable(lua, -2);
    linear_program->problem = glp_create_prob();
    return linear_program;
}

static double finite_number(lua_State *lua, int index, const char *what) {
    double value = luaL_checknumber(lua, index);
    if (!isfinite(value))
        luaL_error(lua, "linear.solve: %s is not finite", what);
    return value;
}

/* The number in `key` of the table on top; 0 with *given = 0 if nil. */
static double bound(lua_State *lua, const char *key, int *given) {
    double value = 0;
    *given = lua_getfield(lua, -1, key) != LUA_TNIL;
    if (*given)
        value = finite_number(lua, -1, key);
    lua_pop(lua, 1);
    return value;
}

/* GLPK's bound type of the row or column in the table on top. */
static int bounds(lua_State *lua, double *low, double *high) {
    int has_low, has_high;
    *low = bound(lua, "low", &has_low);
    *high = bound(lua, "high", &has_high);
    if (has_low && has_high)
        return *low == *high ? GLP_FX : GLP_DB;
    return has_low ? GLP_LO : has_high ? GLP_UP : GLP_FR;
}

/* Pushes the array `key` of the argument and returns its length. */
static int open_list(lua_State *lua, const char *key) {
    luaL_argcheck(lua, lua_getfield(lua, 1, key) == LUA_TTABLE, 1, key);
    return (int)lua_rawlen(lua, -1);
}

static void add_columns(lua_State *lua, glp_prob *problem) {
    int count = open_list(lua, "columns");
    luaL_argcheck(lua, count > 0, 1, "no columns");
    glp_add_cols(problem, count);
    for (int column = 1; column <= count; column++) {
        double low, high;
        luaL_argcheck(lua, lua_rawgeti(lua, -1, column) == LUA_TTABLE, 1, "columns");
        int kind = bounds(lua, &low, &high);
        glp_set_col_bnds(problem, column, kind, low, high);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

enum { TERMS_MOST = 256 }; /* of one row: more than constants of an explanation or basis quantities of a probe */

struct terms {
    int count;
    int columns[TERMS_MOST + 1]; /* from 1, as GLPK counts */
    double values[TERMS_MOST + 1];
};

/* Reads the terms of the table on top. */
static void read_terms(lua_State *lua, int columns, struct terms *terms) {
    terms->count = 0;
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
        lua_Integer column = luaL_checkinteger(lua, -2);
        double value = finite_number(lua, -1, "a number");
        luaL_argcheck(lua, column >= 1 && column <= columns, 1, "a term of a column that is not there");
        luaL_argcheck(lua, terms->count < TERMS_MOST, 1, "too many terms");
        terms->columns[++terms->count] = (int)column;
        terms->values[terms->count] = value;
        lua_pop(lua, 1);
    }
}

static void set_row(lua_State *lua, glp_prob *problem, int row) {
    struct terms terms;
    luaL_argcheck(lua, lua_getfield(lua, -1, "terms") == LUA_TTABLE, 1, "terms");
    read_terms(lua, glp_get_num_cols(problem), &terms);
    lua_pop(lua, 1);
    glp_set_mat_row(problem, row, terms.count, terms.columns, terms.values);
}

static void add_rows(lua_State *lua, glp_prob *problem) {
    int count = open_list(lua, "rows");
    if (count > 0)
        glp_add_rows(problem, count);
    for (int row = 1; row <= count; row++) {
        double low, high;
        luaL_argcheck(lua, lua_rawgeti(lua, -1, row) == LUA_TTABLE, 1, "rows");
        int kind = bounds(lua, &low, &high);
        glp_set_row_bnds(problem, row, kind, low, high);
        set_row(lua, problem, row);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

static void add_objective(lua_State *lua, glp_prob *problem) {
    if (lua_getfield(lua, 1, "objective") == LUA_TTABLE) {
        struct terms terms;
        read_terms(lua, glp_get_num_cols(problem), &terms);
        for (int i = 1; i <= terms.count; i++)
            glp_set_obj_coef(problem, terms.columns[i], terms.values[i]);
    }
    lua_getfield(lua, 1, "maximise");
    glp_set_obj_dir(problem, lua_toboolean(lua, -1) ? GLP_MAX : GLP_MIN);
    lua_pop(lua, 2);
}

static void push_numbers(lua_State *lua, glp_prob *problem, const char *key, int count,
                         double (*get)(glp_prob *, int)) {
    lua_createtable(lua, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_pushnumber(lua, get(problem, i));
        lua_rawseti(lua, -2, i);
    }
    lua_setfield(lua, -2, key);
}

static int push_failure(lua_State *lua, const char *why) {
    lua_pushnil(lua);
    lua_pushstring(lua, why);
    return 2;
}

enum { ITERATIONS = 50 }; /* per row and column: the method usually needs two or three, and may stall forever */

/* `iterations` of the argument, or a sufficient default. */
static int most_iterations(lua_State *lua, glp_prob *problem) {
    int given = lua_getfield(lua, 1, "iterations") != LUA_TNIL;
    lua_Integer most = given ? luaL_checkinteger(lua, -1) : 0;
    lua_pop(lua, 1);
    if (!given)
        return ITERATIONS * (glp_get_num_rows(problem) + glp_get_num_cols(problem));
    luaL_argcheck(lua, most >= 0 && most <= INT_MAX, 1, "iterations");
    return (int)most;
}

/* Due to rounding, the simplex method may report a feasible linear program as "infeasible", even with four rows and
 * five columns. Rational arithmetic continues from its last basis and decides. */
static int solve_problem(glp_prob *problem, glp_smcp *how) {
    int failure = glp_simplex(problem, how);
    return failure == 0 && glp_get_status(problem) == GLP_NOFEAS ? glp_exact(problem, how) : failure;
}

static int solve(lua_State *lua) {
    glp_smcp how;
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    glp_term_out(GLP_OFF);
    glp_prob *problem = new_linear_program(lua)->problem;
    add_columns(lua, problem);
    add_rows(lua, problem);
    add_objective(lua, problem);
    glp_scale_prob(problem, GLP_SF_AUTO);
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    how.it_lim = most_iterations(lua, problem);
    if (solve_problem(problem, &how) != 0)
        return push_failure(lua, "not solved");
    switch (glp_get_status(problem)) {
    case GLP_OPT:
        break;
    case GLP_NOFEAS:
        return push_failure(lua, "infeasible");
    case GLP_UNBND:
        return push_failure(lua, "unbounded");
    default:
        return push_failure(lua, "not solved");
    }
    lua_createtable(lua, 0, 3);
    lua_pushnumber(lua, glp_get_obj_val(problem));
    lua_setfield(lua, -2, "value");
    push_numbers(lua, problem, "columns", glp_get_num_cols(problem), glp_get_col_prim);
    push_numbers(lua, problem, "duals", glp_get_num_rows(problem), glp_get_row_dual);
    return 1;
}

int luaopen_linear(lua_State *lua) {
    static const luaL_Reg functions[] = {{"solve", solve}, {NULL, NULL}};
    luaL_newlib(lua, functions);
    return 1;
}
