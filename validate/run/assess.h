/* assess.h - from results of runs to a record: samples, judgement, failures. */
#ifndef ASSAY_ASSESS_H
#define ASSAY_ASSESS_H

#include "validation.h"

/* Builds the record of what was measured (validation_measure()). `*failed` is the number of runs without values. NULL
 * and the reason if a model fails. */
json_t *assess_record(const struct validation *v, size_t *failed, struct error *error);

#endif
