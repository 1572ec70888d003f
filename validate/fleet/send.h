/* send.h - what a fleet is to run, its batch script, and giving it to Slurm or to an MPI launcher. */
#ifndef ASSAY_SEND_H
#define ASSAY_SEND_H

#include "fleet.h"
#include "validate/host/paths.h"
#include "validate/host/process.h"

/* What `assay fleet run` is asked for. */
struct wish {
    const char *folder;
    const char *nodes, *partition, *node_options; /* or NULL */
    const char *node;                             /* of assay validate */
    const char *launcher;                         /* "slurm" or "mpi" */
    const char *broadcast;                        /* or NULL */
    int minutes, first;                           /* first: nodes that run before the others; 0: all at once */
    json_t *patterns, *options;                   /* words for assay validate */
};

/* Finds the hosts and makes the script. `*manifest` is what goes into DIR/fleet.json, with an "id" of its own. The
 * script's text, to be freed; NULL and the reason. */
char *send_plan(const struct wish *wish, const struct paths *paths, struct script *script, json_t **manifest,
                struct error *error);

/* Whether a fleet is what the manifest would make again: all but the id is the same. */
int send_is_same(const struct fleet *fleet, const json_t *manifest);

/* Writes DIR/fleet.sh. */
int send_write(const char *folder, const char *text, struct error *error);

/* Runs `DIR/fleet.sh send`: makes the fleet's folder and, for Slurm, sends what was not sent. 0; -1 and the reason. */
int send_begin(const char *folder, struct error *error);

/* Starts mpirun with a task on every host; to be waited for. 0; -1 and the reason. */
int send_to_mpi(const struct fleet *fleet, struct process *launcher, struct error *error);

#endif
