/* campaign.h - executes all runs of a plan, several in parallel where possible; an interrupted campaign can be resumed.
 *
 * The state file, FILE.part, holds the campaign's identity and the results of the finished runs. It is written when
 * runs end (record_write()), but at most a twentieth of the time, and when a signal or the last run ends the campaign.
 * A campaign with the same identity resumes from it. */
#ifndef ASSAY_CAMPAIGN_H
#define ASSAY_CAMPAIGN_H

#include "run.h"

enum { CAMPAIGN_AGAIN = 2 };

struct campaign {
    struct run_context context;
    const json_t *jobs; /* from plan.lua, and companions; a job's `reps` limits its repetitions */
    const json_t *what; /* the campaign's identity: a state with another identity is not resumed */
    int reps;
    int side_by_side;
    /* Returns an array with the ids of runs to measure again; NULL with the reason. Called with `owner` whenever all
     * runs have ended. A run is repeated at most CAMPAIGN_AGAIN times. NULL: nothing is measured again. */
    json_t *(*again)(void *owner, json_t *results, struct error *error);
    /* Called with `owner` when a place is idle because no run is left to start while others still run; once for the
     * plan, and once for each round of repeats. NULL: there is nothing to do meanwhile. */
    void (*meanwhile)(void *owner);
    void *owner;
    json_t *repeats; /* for campaign_measure() only: { ID: number of earlier measurements of the run } */
    const char *out; /* record file; its state is OUT.part. NULL: no state is kept */
    int quiet;
};

/* Executes all (job, run, repetition). Returns { ID: result of run_finish() } (a new reference), or NULL with the
 * reason. The result of a run that was measured again has "again", the number of repeats. Sets `*interrupted` if a
 * signal ended it early (stop.h); the state is then on disk, unless `out` is NULL. A failed run is a result, not an
 * error. */
json_t *campaign_measure(const struct campaign *campaign, int *interrupted, struct error *error);

/* The commands of the campaign's first repetition in the order of their execution: [ { "job": id, "run": name,
 * "command" } ] (a new reference). */
json_t *campaign_commands(const struct campaign *campaign);

/* Removes the state file of a campaign after its record `out` has been written. */
void campaign_forget(const char *out);

#endif
