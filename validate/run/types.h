/* types.h - what run.h, program.h and campaign.h have in common. */
#ifndef ASSAY_RUN_TYPES_H
#define ASSAY_RUN_TYPES_H

#include <jansson.h>

#include "stale_files.h"
#include "validate/host/paths.h"
#include "validate/host/process.h"
#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* What all runs of a campaign share. */
#define RUN_TOOLS "tools" /* in the run's folder: a link to Assay's tools */

struct run_context {
    const struct paths *paths;
    const struct likwid *likwid;
    const struct node *node;
    const json_t *objects;           /* { KERNEL: file of its shared object } */
    const char *work;                /* scratch folder of the campaign */
    double timeout;                  /* seconds */
    char *const *command;            /* of a user's program, its words as they were given; NULL: none */
    struct stale_files *stale_files; /* what runs one after the other put back before they start; NULL: nothing */
};

struct run {
    char id[200];               /* JOB/RUN/REP */
    const json_t *job, *packed; /* plan.lua's job and one of its `runs`; borrowed */
    int rep;
    struct run_slot *slot;
    struct stale_files *stale_files; /* which learn what the run has written; NULL: nothing */
    struct process process;
    char folder[PATH_MAX];
    char *command; /* as a user would type it, for failures */
};

#endif
