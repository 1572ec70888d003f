/* selection.h - less of a plan: some codes, one level, one placement. */
#ifndef ASSAY_SELECTION_H
#define ASSAY_SELECTION_H

#include <jansson.h>

#include "options.h"

/* Leaves in a plan (lua/plan/plan.lua) the points and jobs that --only, --level and --placement ask for, and of what it
 * skips the same. */
void selection_apply(json_t *plan, const struct options *options);

/* Adds the codes and levels of a plan to `known`, an object; and the node's caches and its memory, which
 * are levels whatever is planned. */
void selection_note(json_t *known, const json_t *plan);
void selection_note_levels(json_t *known, const json_t *node);

/* Whether all codes and levels that the options name are `known`; placements need not be there on each node of a
 * fleet. 0, or -1 and the reason. */
int selection_check(const json_t *known, const struct options *options, struct error *error);

int selection_is_asked(const struct options *options);

#endif
