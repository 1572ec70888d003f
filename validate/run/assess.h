/* assess.h - builds a record from the results of runs: samples, verdicts, failures. */
#ifndef ASSAY_ASSESS_H
#define ASSAY_ASSESS_H

#include "validation.h"

/* Asks LIKWID for what the record compares with the vendor's codes, unless that was done. `v` is a struct validation.
 * Takes some time, for which the last runs of a virtual node need not wait (campaign.h's `meanwhile`). */
void assess_ask(void *v);

/* Builds the record of the results of validation_measure(). Stores the number of runs without values in `*failed`. NULL
 * with the reason if a model fails. */
json_t *assess_record(const struct validation *v, size_t *failed, struct error *error);

#endif
