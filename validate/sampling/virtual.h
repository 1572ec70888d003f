/* virtual.h - sampling a program on a virtual node. */
#ifndef ASSAY_SAMPLING_VIRTUAL_H
#define ASSAY_SAMPLING_VIRTUAL_H

#include "types.h"

/* Runs the program on a node of its own, with all of the plan's events and periods at once. A new reference: what
 * samples_read() says and "totals": of each event how often it happened in all, null where it has an obstacle;
 * "obstacles": of each event why it is not sampled, null; "status": the program's. NULL and the reason. `run` names it.
 */
json_t *virtual_sample(const struct sampling *sampling, char *const program[], const char *run, struct error *error);

#endif
