/* single.c - the list of patterns in the executable of a single pattern: that one. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include "patterns/program/program.h"

const struct pattern_program *const pattern_programs[] = {&pattern_program, NULL};
