/* fleet.h - a fleet's folder DIR and the progress of its nodes.
 *
 * DIR/fleet.json: the manifest { "id", "part", "launcher": "slurm" or "mpi", "hosts": [name ...] }; fleet.sh writes it
 * last.
 *
 * DIR/fleet.sh: the batch script (lua/fleet/plan.lua), which submits itself and runs each node's task.
 *
 * DIR/nodes/HOST.json, full/HOST.json, log/HOST, end/HOST, sent/FIRST: files of the tasks and the sender. */
#ifndef ASSAY_FLEET_H
#define ASSAY_FLEET_H

#include <jansson.h>
#include <limits.h>

#include "validate/host/error.h"
#include "validate/host/script.h"

struct fleet {
    char folder[PATH_MAX];
    json_t *manifest;
};

/* Reads DIR/fleet.json. 0, or -1 with the reason. Call fleet_close() in any case. */
int fleet_open(struct fleet *fleet, const char *folder, struct error *error);
void fleet_close(struct fleet *fleet);

/* Whether DIR/fleet.json exists. */
int fleet_is_there(const char *folder);

/* The result of lua/fleet/status.lua for the fleet's files and, with Slurm, the queue and the nodes. A new reference,
 * or NULL with the reason, for instance that Slurm's controller does not answer. */
json_t *fleet_status(const struct fleet *fleet, struct script *script, struct error *error);

/* The hosts in a Slurm host list, or, with `list` NULL, all nodes of a partition (NULL: of all partitions). Without
 * Slurm a list is comma-separated names. A new reference; NULL with the reason. */
json_t *fleet_hosts(const char *list, const char *partition, struct error *error);

/* Lines "HOST CORES" for all nodes, freed by the caller; NULL without Slurm. */
char *fleet_cores(void);

#endif
