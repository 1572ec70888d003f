/* native.h - sampling a program on this machine. */
#ifndef ASSAY_SAMPLING_NATIVE_H
#define ASSAY_SAMPLING_NATIVE_H

#include "types.h"

/* Runs the program once for each of the plan's events to count, and once for each of its periods to sample. A new
 * reference, as of virtual_sample(), but that how often an event happened in a function is null: nobody knows. */
json_t *native_sample(const struct sampling *sampling, char *const program[], struct error *error);

#endif
