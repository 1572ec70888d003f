/* branches.c - iterations of the loops of branches.S. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>

#include "patterns/program/program.h"

enum { ONE_OF, TIMES }; /* parameters */

typedef void iterate(uint64_t times, uint64_t seed, uint64_t one_of);
iterate branches_halves, branches_never, branches_always, branches_chance_apart, branches_chance, branches_direct,
    branches_loop, branches_nested_apart, branches_nested_taken_apart, branches_nested_both_apart, branches_nested,
    branches_nested_taken;

static const char *const codes[] = {"branches_halves",
                                    "branches_never",
                                    "branches_always",
                                    "branches_chance_apart",
                                    "branches_chance",
                                    "branches_direct",
                                    "branches_loop",
                                    "branches_nested_apart",
                                    "branches_nested_taken_apart",
                                    "branches_nested_both_apart",
                                    "branches_nested",
                                    "branches_nested_taken",
                                    NULL};
static iterate *const loops[] = {branches_halves,
                                 branches_never,
                                 branches_always,
                                 branches_chance_apart,
                                 branches_chance,
                                 branches_direct,
                                 branches_loop,
                                 branches_nested_apart,
                                 branches_nested_taken_apart,
                                 branches_nested_both_apart,
                                 branches_nested,
                                 branches_nested_taken};

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    loops[point->code](times, 0, point->parameter[ONE_OF]);
}

const struct pattern_program probe_branches = {
    .usage = "Iterations, in which a branch by chance goes one way ONE_OF times as often as the other:\n"
             "REGION branches_halves|branches_never|branches_always|branches_chance_apart|branches_chance|\n"
             "  branches_direct|branches_loop|branches_nested_apart|branches_nested_taken_apart|\n"
             "  branches_nested_both_apart|branches_nested|branches_nested_taken ONE_OF TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = 1,
    .repeat = repeat,
};
