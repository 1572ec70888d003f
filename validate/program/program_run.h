/* program_run.h - a program of the user's, run once for each of as few event sets as there must be.
 *
 *     struct program_run m = {.v = {.paths = paths, .work.lock = -1}};      and the options, measuring.c
 *     program_run_open() == 0 && program_run_plan(&m, wants) == 0 && program_run_measure() == EXIT_DONE
 *     ... m.counted ...
 *     program_run_release() in any case
 *
 * What has to be counted are `wants`: [ { "name", "events": [ { "event", "options" } .. ] } .. ], the events of each in
 * one run if the counters allow (lua/program/plan/program.lua). Interrupted program runs are resumed (campaign.h). */
#ifndef ASSAY_PROGRAM_RUN_H
#define ASSAY_PROGRAM_RUN_H

#include "validate/run/validation.h"

struct program_run {
    struct validation v;
    char **command;        /* NULL-terminated */
    const char *cores;     /* "0-3,8"; NULL: the first ones */
    int ranks;             /* processes of MPI; 0: it is none */
    const char *launcher;  /* what starts these; NULL: mpirun */
    int is_whole;          /* all of the program, even if it has marked regions */
    const json_t *metrics; /* to find values of, input/hierarchy.lua's; NULL: raw counts only */
    json_t *list;          /* input/event_list.lua: LIKWID's events */
    json_t *plan;          /* program/plan/program.lua's */
    json_t *counted; /* program/read/program_counts.lua's: system, regions, runs, counts, witness, messages, failures;
                        of `metrics` also metrics and values */
};

/* From the options to a node, its machine file, LIKWID's list of events and a place to work in. From its success on,
 * signals are caught (stop.h). */
int program_run_open(struct program_run *m, struct error *error);

/* Finds the sets. Wants for events that the node does not have are left out: the plan's `absent` says why. */
int program_run_plan(struct program_run *m, json_t *wants, struct error *error);

/* Measures. EXIT_DONE, or the exit status and the reason. Runs that failed are in `counted`. */
int program_run_measure(struct program_run *m, struct error *error);

/* How a file of that kind begins: validation_heading() and "command". A new reference. */
json_t *program_run_heading(const struct program_run *m, const char *kind);

void program_run_release(struct program_run *m);

#endif
