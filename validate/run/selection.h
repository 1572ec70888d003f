/* selection.h - less of a plan: some codes, one level, one placement. */
#ifndef ASSAY_SELECTION_H
#define ASSAY_SELECTION_H

#include <jansson.h>

#include "validate/cli/options.h"

/* Leaves in a plan (lua/plan/plan.lua) the points and jobs that --only, --level and --placement ask for, and of what it
 * skips the same. */
void selection_apply(json_t *plan, const struct options *options);

int selection_is_asked(const struct options *options);

#endif
