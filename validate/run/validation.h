/* validation.h - common steps of the commands that measure, from options to the results of all runs. */
#ifndef ASSAY_VALIDATION_H
#define ASSAY_VALIDATION_H

#include <limits.h>

#include "campaign.h"
#include "inputs.h"
#include "options.h"
#include "validate/host/stop.h"
#include "vnode/launch/scratch.h"

/* Everything that a validation allocates; released by validation_release(). */
struct validation {
    const struct paths *paths;
    struct options options;
    struct likwid likwid;
    struct node node;
    struct script *script;
    struct inputs inputs;
    json_t *plans;    /* from plan.lua, one per pattern */
    json_t *jobs;     /* to be run: the plans' jobs and companions */
    json_t *results;  /* campaign_measure() */
    char started[21]; /* record_time() */
    double seconds;   /* time spent measuring */
    struct scratch work;
    char *const *command;           /* user's program; NULL: Assay's own programs */
    struct stale_files stale_files; /* of a user's program with sequential runs */
    struct stop stop;
    int is_stoppable; /* stop_catch() was called */
    int reps;
    void (*meanwhile)(void *v); /* campaign.h, or NULL */
    json_t *vendor;             /* of assess_ask(), or NULL */
};

/* Prepare a validation in two steps. validation_open() opens the node, its faults and the script. The caller then loads
 * inputs and creates jobs. validation_ready() creates the work folder; after success signals are caught (stop.h). */
int validation_open(struct validation *v, struct error *error);
int validation_ready(struct validation *v, struct error *error);

/* Both steps, for patterns: chooses the node, loads all inputs, plans, and takes the plans' jobs. After success signals
 * are caught (stop.h). */
int validation_prepare(struct validation *v, struct error *error);

/* If a virtual node was chosen instead of this machine, prints on stdout that this machine was not validated, and why.
 * Called for the first and the last line of the output. */
void validation_warn(const struct validation *v);

/* Calls validation_warn(), then prints on stdout the node and why it was chosen. */
void validation_announce(const struct validation *v);

/* The commands that validation_measure() would execute (campaign_commands()). A new reference. */
json_t *validation_commands(struct validation *v);

/* Runs all jobs; `out` is the record file whose state is kept (campaign.h), or NULL. Returns EXIT_DONE and sets
 * v->results, or another exit status. */
int validation_measure(struct validation *v, const char *out, struct error *error);

/* The measured node as records describe it: what it is, and its state (state.h). A new reference. */
json_t *validation_node(const struct validation *v);

/* The first keys of a findings file of that kind: what was measured, when, with which tools, on which node. A new
 * reference. */
json_t *validation_heading(const struct validation *v, const char *kind);

/* Writes findings of that kind, after validation_heading(), to `v->options.out` if not NULL; releases the findings. 0,
 * or -1 with the reason. */
int validation_write(const struct validation *v, const char *kind, json_t *findings, struct error *error);

/* Returns EXIT_INTERRUPTED; the error tells which state was kept and how to resume. */
int validation_interrupted(const struct validation *v, const char *out, struct error *error);

void validation_release(struct validation *v);

#endif
