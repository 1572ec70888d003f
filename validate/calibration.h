/* calibration.h - what measuring itself costs in each event: an empty region on the same CPUs with the same events. */
#ifndef ASSAY_CALIBRATION_H
#define ASSAY_CALIBRATION_H

#include <jansson.h>

#include "script.h"

#define CALIBRATION_REGION "calibration"

/* For each of the plan's jobs one that measures empty regions only, with the same CPUs and runs; its id is JOB.empty.
 * A new reference. */
json_t *calibration_jobs(const json_t *jobs);

/* calibrate.lua's costs of one run, from the results of its repetitions (campaign_measure()); `job` is the calibrated
 * one. A new reference; NULL and the reason. */
json_t *calibration_costs(struct script *script, const json_t *job, const json_t *packed, const json_t *results,
                          int reps, struct error *error);

/* The regions of a run without those costs. A new reference; NULL and the reason. */
json_t *calibration_subtract(struct script *script, const json_t *packed, json_t *regions, json_t *costs,
                             struct error *error);

#endif
