/* sampling.h - `assay sampling`: what is estimated from samples of a program, next to what is true. */
#ifndef ASSAY_SAMPLING_H
#define ASSAY_SAMPLING_H

#include "types.h"

/* From options to a plan. */
int sampling_prepare(struct sampling *sampling, struct error *error);

/* Runs the plan and judges. EXIT_DONE and `found`, or the exit status and the reason. */
int sampling_measure(struct sampling *sampling, struct error *error);

/* Writes what was found to `d.v.options.out`: docs/sampling.schema.json. */
int sampling_write(const struct sampling *sampling, struct error *error);

void sampling_release(struct sampling *sampling);

#endif
