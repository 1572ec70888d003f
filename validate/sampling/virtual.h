/* virtual.h - samples a program on a virtual node. */
#ifndef ASSAY_SAMPLING_VIRTUAL_H
#define ASSAY_SAMPLING_VIRTUAL_H

#include "types.h"

/* Runs the program on a new virtual node with all of the plan's events and periods at once. A new reference: the result
 * of samples_read(), and "totals": the total count per event, null if it has an obstacle; "obstacles": per event why it
 * is not sampled, or null; "status": the program's exit status. NULL with the reason. `run` is the run's name. */
json_t *virtual_sample(const struct sampling *sampling, char *const program[], const char *run, struct error *error);

#endif
