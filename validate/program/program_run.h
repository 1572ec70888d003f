/* program_run.h - runs a user's program once per event set, with as few event sets as possible.
 *
 *     struct program_run m = {.v = {.paths = paths, .work.lock = -1}};    // and its options, as in measuring.c
 *     program_run_open(&m) == 0 && program_run_plan(&m, wants) == 0 && program_run_measure(&m) == EXIT_DONE
 *     ... m.counted ...
 *     program_run_release(&m) in any case
 *
 * `wants` lists the events to count: [ { "name", "events": [ { "event", "options" } .. ] } .. ]. The events of one want
 * are counted in one run if the counters allow (lua/program/plan/program.lua). Interrupted program runs are resumed
 * (campaign.h). */
#ifndef ASSAY_PROGRAM_RUN_H
#define ASSAY_PROGRAM_RUN_H

#include "validate/run/validation.h"

struct program_run {
    struct validation v;
    char **command;        /* NULL-terminated */
    const char *cores;     /* "0-3,8"; NULL: the first ones */
    int ranks;             /* MPI processes; 0: not an MPI program */
    const char *launcher;  /* the MPI launcher; NULL: mpirun */
    int scale;             /* the job's threads, on so many of the cores; 0: by OMP_NUM_THREADS and all of them */
    int is_data;           /* the command prints JSON or a page: nothing else goes to standard output */
    int is_whole;          /* measure the whole program, even if it has marked regions */
    const json_t *metrics; /* metrics to compute, from input/hierarchy.lua; NULL: raw counts only */
    json_t *list;          /* input/event_list.lua: LIKWID's events */
    json_t *plan;          /* from program/plan/program.lua */
    json_t *counted;       /* from program/read/program_counts.lua: system, regions, runs, counts, witness, messages,
                          failures; with `metrics` also metrics and values */
};

/* Evaluates the options: opens the node, loads its machine file and LIKWID's event list, creates a work folder. After
 * success signals are caught (stop.h). */
int program_run_open(struct program_run *m, struct error *error);

/* The program's number of threads, `scale` or from OMP_NUM_THREADS. */
int program_run_threads(const struct program_run *m);

/* Chooses the event sets: sets the plan and its jobs. Wants with events that the node does not have are left out; the
 * plan's `absent` has the reasons. */
int program_run_plan(struct program_run *m, json_t *wants, struct error *error);

/* Measures. EXIT_DONE, or another exit status with the reason. Failed runs are listed in `counted`. */
int program_run_measure(struct program_run *m, struct error *error);

/* What the finished runs of a plan have counted, like `counted`. A new reference, or NULL with the reason. */
json_t *program_run_counts(const struct program_run *m, json_t *plan, struct error *error);

/* The first keys of a file of that kind: validation_heading() and "command". A new reference. */
json_t *program_run_heading(const struct program_run *m, const char *kind);

void program_run_release(struct program_run *m);

#endif
