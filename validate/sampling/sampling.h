/* sampling.h - `assay sampling`: compares estimates from samples of a program with the true counts. */
#ifndef ASSAY_SAMPLING_H
#define ASSAY_SAMPLING_H

#include "types.h"

/* Makes a plan from the options. 0, or -1 with the reason. */
int sampling_prepare(struct sampling *sampling, struct error *error);

/* Runs the plan and judges the results. EXIT_DONE and sampling->found, or another exit status with the reason. */
int sampling_measure(struct sampling *sampling, struct error *error);

/* Writes the findings to `d.v.options.out` by docs/sampling.schema.json. */
int sampling_write(const struct sampling *sampling, struct error *error);

void sampling_release(struct sampling *sampling);

#endif
