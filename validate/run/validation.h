/* validation.h - what commands that measure have in common: from options to the results of all runs.
 */
#ifndef ASSAY_VALIDATION_H
#define ASSAY_VALIDATION_H

#include <limits.h>

#include "campaign.h"
#include "inputs.h"
#include "options.h"
#include "validate/host/stop.h"
#include "vnode/launch/scratch.h"

/* All that one validation holds, so that one function releases it. */
struct validation {
    const struct paths *paths;
    struct options options;
    struct likwid likwid;
    struct node node;
    struct script *script;
    struct inputs inputs;
    json_t *plans;    /* plan.lua's, one per pattern */
    json_t *jobs;     /* what is run: the plans' jobs and those that stand next to them */
    json_t *results;  /* campaign_measure() */
    char started[21]; /* record_time() */
    double seconds;   /* of measuring */
    struct scratch work;
    char *const *command;           /* of a program of the user's; NULL: Assay's own programs are run */
    struct stale_files stale_files; /* of a program of the user's, if its runs come one after the other */
    struct stop stop;
    int is_stoppable; /* stop.h holds */
    int reps;
};

/* The two halves of preparing. The first makes the node, its faults and the script; the second a place to work in.
 * Between them the caller loads inputs and makes jobs. After the second's success signals are caught (stop.h). */
int validation_open(struct validation *v, struct error *error);
int validation_ready(struct validation *v, struct error *error);

/* Both, for patterns: chooses the node, loads all inputs and plans. The jobs are then those of the plans. From its
 * success on, signals are caught (stop.h). */
int validation_prepare(struct validation *v, struct error *error);

/* If a virtual node stands in for this machine, prints on stdout that this machine was not validated, and why. Called
 * for the first and for the last line of the output. */
void validation_warn(const struct validation *v);

/* Says on stdout on which node the validation runs and why: the first line of the output, after validation_warn(). */
void validation_announce(const struct validation *v);

/* Runs all jobs; `out` is the record whose state is kept, or NULL. EXIT_DONE and v->results, or the exit status. */
int validation_measure(struct validation *v, const char *out, struct error *error);

/* How a file of findings of that kind begins: what was measured when, with what, and where. A new reference. */
json_t *validation_heading(const struct validation *v, const char *kind);

/* Writes findings of that kind, with validation_heading(), to `v->options.out` if that is not NULL; releases them. 0,
 * or -1 and the reason. */
int validation_write(const struct validation *v, const char *kind, json_t *findings, struct error *error);

/* EXIT_INTERRUPTED, and the error says what is kept for whoever goes on. */
int validation_interrupted(const struct validation *v, const char *out, struct error *error);

void validation_release(struct validation *v);

#endif
