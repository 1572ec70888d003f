/* native.h - samples a program on this machine. */
#ifndef ASSAY_SAMPLING_NATIVE_H
#define ASSAY_SAMPLING_NATIVE_H

#include "types.h"

/* For each of the plan's events runs the program once to count it and once per period to sample it. A new reference,
 * like virtual_sample(), but the true counts per function are null because they are unknown. */
json_t *native_sample(const struct sampling *sampling, char *const program[], struct error *error);

#endif
