/* types.h - types shared by run.h, program.h and campaign.h. */
#ifndef ASSAY_RUN_TYPES_H
#define ASSAY_RUN_TYPES_H

#include <jansson.h>

#include "stale_files.h"
#include "validate/host/paths.h"
#include "validate/host/process.h"
#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

#define RUN_TOOLS "tools" /* in the run's folder: a link to Assay's tools */

/* Data shared by all runs of a campaign. */
struct run_context {
    const struct paths *paths;
    const struct likwid *likwid;
    const struct node *node;
    const json_t *objects;           /* { KERNEL: file of its shared object } */
    const char *work;                /* scratch folder of the campaign */
    double timeout;                  /* seconds */
    char *const *command;            /* words of the user's program as given; NULL: none */
    struct stale_files *stale_files; /* restored before each of sequential runs; NULL: nothing to restore */
};

struct run {
    char id[200];               /* JOB/RUN/REP */
    const json_t *job, *packed; /* from plan.lua: the job and one of its `runs`; borrowed */
    int rep;
    int again;             /* number of its earlier measurements, which something disturbed */
    const char *interface; /* likwid.h */
    struct run_slot *slot;
    struct stale_files *stale_files; /* where to store the files written by the run; NULL: not needed */
    struct process process;
    char folder[PATH_MAX];
    char *command; /* as typed in a shell, for messages about failures */
};

#endif
