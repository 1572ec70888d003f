/* laws.h - loads the laws between an architecture's counters and checks a program run against them. */
#ifndef ASSAY_LAWS_H
#define ASSAY_LAWS_H

#include "program_run.h"

/* The result of program/plan/laws.lua for an opened program run: the laws that its node can check, their `wants`, and
 * the laws `left_out`. Laws are read from groups/ARCH/pmu.laws, if it exists, and the user's `file` (may be NULL). A
 * new reference; NULL with the reason. */
json_t *laws_prepare(const struct program_run *m, const char *file, struct error *error);

/* The findings of program/laws/laws.lua for the measured counts; `prepared` is from laws_prepare(). A new reference;
 * NULL with the reason. */
json_t *laws_check(const struct program_run *m, const json_t *prepared, struct error *error);

#endif
