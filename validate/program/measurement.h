/* measurement.h - a program of the user's, run once for each of as few event sets as there must be; raw counts only,
 * merged.
 *
 *     struct measurement m = {.v = {.paths = paths, .work.lock = -1}};      and the options, measuring.h
 *     measurement_open() == 0 && measurement_plan(&m, wants) == 0 && measurement_run() == EXIT_DONE
 *     ... m.counted ...
 *     measurement_forget(), if what follows from it is written; measurement_release() in any case
 *
 * What has to be counted are `wants`: [ { "name", "events": [ { "event", "options" } .. ] } .. ], the events of each in
 * one run if the counters allow (lua/program/plan/program.lua). Interrupted measurements are resumed (campaign.h). */
#ifndef ASSAY_MEASUREMENT_H
#define ASSAY_MEASUREMENT_H

#include "validate/run/validation.h"

struct measurement {
    struct validation v;
    char **command;       /* NULL-terminated */
    const char *cores;    /* "0-3,8"; NULL: the first ones */
    int ranks;            /* processes of MPI; 0: it is none */
    const char *launcher; /* what starts these; NULL: mpirun */
    int is_whole;         /* all of the program, even if it has marked regions */
    json_t *list;         /* input/event_list.lua: LIKWID's events */
    json_t *plan;         /* program/plan/program.lua's */
    json_t *counted; /* program/read/program_counts.lua's: system, regions, runs, counts, witness, messages, failures */
};

/* From the options to a node, its machine file, LIKWID's list of events and a place to work in. From its success on,
 * signals are caught (stop.h). */
int measurement_open(struct measurement *m, struct error *error);

/* Finds the sets. Wants for events that the node does not have are left out: the plan's `absent` says why. */
int measurement_plan(struct measurement *m, json_t *wants, struct error *error);

/* Measures. EXIT_DONE, or the exit status and the reason. Runs that failed are in `counted`. */
int measurement_run(struct measurement *m, struct error *error);

/* How a file of that kind begins: validation_heading() and "command". A new reference. */
json_t *measurement_heading(const struct measurement *m, const char *kind);

/* Removes the state that an interrupted measurement would go on from. */
void measurement_forget(const struct measurement *m);
void measurement_release(struct measurement *m);

#endif
