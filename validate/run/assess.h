/* assess.h - from results of runs to a record: samples, judgement, failures. */
#ifndef ASSAY_ASSESS_H
#define ASSAY_ASSESS_H

#include <jansson.h>

#include "inputs.h"
#include "validate/host/script.h"
#include "validate/node/node.h"

struct assessment {
    struct script *script;
    const struct node *node;
    const struct likwid *likwid;
    const struct inputs *inputs;
    const json_t *plans;   /* array: { "pattern": .., "jobs": [..], "skipped": [..] } as planned for inputs->patterns */
    const json_t *results; /* campaign_measure() */
    int reps;
    int calibrate;       /* the results hold empty regions, whose counts are taken off (lua/plan/companions.lua) */
    int matrix;          /* judge all signatures on all controls, too (lua/judge/matrix.lua) */
    const char *started; /* record_time() */
    double seconds;
};

/* Builds the record. `*failed` is the number of runs without values. NULL and the reason if a model fails. */
json_t *assess_record(const struct assessment *assessment, size_t *failed, struct error *error);

#endif
