/* narrow.h - less of a plan: some codes, one level, one placement. */
#ifndef ASSAY_NARROW_H
#define ASSAY_NARROW_H

#include <jansson.h>

#include "options.h"

/* Leaves in a plan (lua/plan.lua) the points and jobs that --only, --level and --placement ask for, and of what it
 * skips the same. */
void narrow_plan(json_t *plan, const struct options *options);

int narrow_is_asked(const struct options *options);

#endif
