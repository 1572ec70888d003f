/* campaign.h - measures everything that a plan asks for: many runs, some side by side, resumable.
 *
 * The state file, FILE.part, holds the campaign's identity and the result of every finished run. It is written after
 * each run (record_write). A campaign of the same identity resumes from it. */
#ifndef ASSAY_CAMPAIGN_H
#define ASSAY_CAMPAIGN_H

#include "run.h"

struct campaign {
    struct run_context context;
    const json_t
        *jobs; /* plan.lua's, and those next to them; one with `reps` of its own is repeated at most so often */
    const json_t *what; /* identifies the campaign: a state with another value is not resumed */
    int reps;
    int side_by_side;
    const char *out; /* record file; its state is OUT.part. NULL: no state is kept */
    int quiet;
};

/* Runs all (job, run, repetition). Returns { ID: result of run_finish() } (a new reference), or NULL. `*interrupted` is
 * set if a signal ended it early (stop.h); the state is then on disk. A run that fails is a result, not an error. */
json_t *campaign_measure(const struct campaign *campaign, int *interrupted, struct error *error);

/* Removes the state of the campaign whose record `out` is written. */
void campaign_forget(const char *out);

/* The identity of one run: JOB/RUN/REP. */
void campaign_run_id(char id[200], const json_t *job, const json_t *packed, int rep);

#endif
