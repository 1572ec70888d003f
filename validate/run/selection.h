/* selection.h - restricts a plan to some codes, levels and placements. */
#ifndef ASSAY_SELECTION_H
#define ASSAY_SELECTION_H

#include <jansson.h>

#include "options.h"

/* Removes from a plan (lua/plan/plan.lua) all points, jobs and skipped entries that --only, --level and --placement do
 * not select. */
void selection_apply(json_t *plan, const struct options *options);

/* Add to the object `known` the codes and levels of a plan, and the node's caches and memory, which are valid levels in
 * any plan. */
void selection_note(json_t *known, const json_t *plan);
void selection_note_levels(json_t *known, const json_t *node);

/* Checks that all codes and levels in the options are `known`. Placements are not checked, because they may differ
 * between nodes of a fleet. 0, or -1 with the reason. */
int selection_check(const json_t *known, const struct options *options, struct error *error);

int selection_is_asked(const struct options *options);

#endif
