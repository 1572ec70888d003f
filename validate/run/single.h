/* single.h - one run of one kernel, outside of a campaign. */
#ifndef ASSAY_SINGLE_H
#define ASSAY_SINGLE_H

#include <jansson.h>

#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* Runs `job`, whose points use `kernel` only, with the group `packed` (plan.lua's); both are borrowed. Counts
 * of the kernel's code are added to `kernels`, an object. run_finish()'s result, a new reference; NULL and the reason.
 */
json_t *single_measure(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                       const char *kernel, const json_t *job, const json_t *packed, json_t *kernels,
                       struct error *error);

#endif
