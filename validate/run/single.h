/* single.h - one run of one kernel, outside a campaign. */
#ifndef ASSAY_SINGLE_H
#define ASSAY_SINGLE_H

#include <jansson.h>

#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* Runs `job`, whose points use only `kernel`, with the group `packed`; both are from plan.lua and borrowed. Adds the
 * counts of the kernel's code to the object `kernels`. Returns the result of run_finish(), a new reference; NULL with
 * the reason. */
json_t *single_measure(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                       const char *kernel, const json_t *job, const json_t *packed, json_t *kernels,
                       struct error *error);

#endif
