/* laws.h - laws between the counters of an architecture, and whether a program run obeys them. */
#ifndef ASSAY_LAWS_H
#define ASSAY_LAWS_H

#include "program_run.h"

/* From an opened program run: the result of program/plan/laws.lua, with the laws that its node can check, their
 * `wants`, and the laws `left_out`. They come from groups/ARCH/pmu.laws, if it exists, and from the user's `file`, or
 * NULL. A new reference; NULL and the reason. */
json_t *laws_prepare(const struct program_run *m, const char *file, struct error *error);

/* program/laws/laws.lua's findings on what was measured, of laws_prepare()'s. A new reference; NULL and the reason. */
json_t *laws_check(const struct program_run *m, const json_t *prepared, struct error *error);

#endif
