/* laws.h - laws between the counters of an architecture, and whether a measurement obeys them. */
#ifndef ASSAY_LAWS_H
#define ASSAY_LAWS_H

#include "measurement.h"

/* From an opened measurement: program/plan/laws.lua's laws that its node can be asked for, `wants` and what is
 * `left_out`, of groups/ARCH/pmu.laws (none if nobody wrote it) and of `file`, a user's, or NULL. A new reference; NULL
 * and the reason. */
json_t *laws_prepare(const struct measurement *m, const char *file, struct error *error);

/* program/laws/laws.lua's findings on what was measured, of laws_prepare()'s. A new reference; NULL and the reason. */
json_t *laws_check(const struct measurement *m, const json_t *prepared, struct error *error);

#endif
