/* send.h - plans a fleet run, writes its batch script and submits it to Slurm or an MPI launcher. */
#ifndef ASSAY_SEND_H
#define ASSAY_SEND_H

#include "fleet.h"
#include "validate/host/paths.h"
#include "validate/host/process.h"

/* The request of `assay fleet run`. */
struct wish {
    const char *folder;
    const char *nodes, *partition, *node_options; /* or NULL */
    const char *node;                             /* --node of assay validate */
    const char *launcher;                         /* "slurm" or "mpi" */
    const char *broadcast;                        /* or NULL */
    int minutes, first;         /* first: number of nodes that run before the others; 0: all at once */
    json_t *patterns, *options; /* arguments of assay validate */
};

/* Finds the hosts and makes the script. `*manifest` becomes the contents of DIR/fleet.json, with a new "id". Returns
 * the script's text, freed by the caller; NULL with the reason. */
char *send_plan(const struct wish *wish, const struct paths *paths, struct script *script, json_t **manifest,
                struct error *error);

/* Whether the fleet's manifest equals this one except for the id. */
int send_is_same(const struct fleet *fleet, const json_t *manifest);

/* Writes DIR/fleet.sh. */
int send_write(const char *folder, const char *text, struct error *error);

/* Runs `DIR/fleet.sh send`: creates the fleet's folder and, for Slurm, submits the jobs not yet submitted. 0, or -1
 * with the reason. */
int send_begin(const char *folder, struct error *error);

/* Starts mpirun with a task on every host; the caller waits for `launcher`. 0, or -1 with the reason. */
int send_to_mpi(const struct fleet *fleet, struct process *launcher, struct error *error);

#endif
