/* single.c - the list of programs of an executable that is one pattern's. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/program.h"

const struct pattern_program *const pattern_programs[] = {&pattern_program, NULL};
