/* preflight.h - can this machine be validated, and what stands in the way. */
#ifndef ASSAY_PREFLIGHT_H
#define ASSAY_PREFLIGHT_H

#include <jansson.h>
#include <stdio.h>

#include "validate/host/paths.h"

/* Prints a line for each finding of doctor.h and, if none blocks, whether the counters count a known loop. Unless
 * `machine` is NULL, stores in it the machine's description for planning, with its state (state.h) and, if it counts,
 * its boxes: a new reference, NULL if the topology is unknown. */
void preflight(const struct paths *paths, FILE *out, json_t **machine);

#endif
