/* selection.h - less of a plan: some codes, one level, one placement. */
#ifndef ASSAY_SELECTION_H
#define ASSAY_SELECTION_H

#include <jansson.h>

#include "options.h"

/* Keeps of a plan (lua/plan/plan.lua) only the points, jobs and skipped entries that --only, --level and --placement
 * select. */
void selection_apply(json_t *plan, const struct options *options);

/* Adds the codes and levels of a plan to `known`, an object; and the node's caches and its memory, which
 * are levels whatever is planned. */
void selection_note(json_t *known, const json_t *plan);
void selection_note_levels(json_t *known, const json_t *node);

/* Whether all codes and levels that the options name are `known`. Placements are not checked: nodes of a fleet may
 * differ in them. 0, or -1 and the reason. */
int selection_check(const json_t *known, const struct options *options, struct error *error);

int selection_is_asked(const struct options *options);

#endif
