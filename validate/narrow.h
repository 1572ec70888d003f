/* narrow.h - less of a plan: some codes, one level. */
#ifndef ASSAY_NARROW_H
#define ASSAY_NARROW_H

#include <jansson.h>

/* Leaves the points of the codes in `only` (comma separated; NULL: all) and the jobs of `level` (NULL: all) in a plan
 * (lua/plan.lua), and of what it skips the same. */
void narrow_plan(json_t *plan, const char *only, const char *level);

#endif
