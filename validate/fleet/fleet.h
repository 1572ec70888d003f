/* fleet.h - a fleet's folder, and how far its nodes are.
 *
 * DIR/fleet.json   what is run where: { "id", "part", "launcher": "slurm" or "mpi", "hosts": [name ...] }, written last
 * by its script DIR/fleet.sh     the batch script (lua/fleet/plan.lua), which sends itself and runs each node's task
 * DIR/nodes/HOST.json, full/HOST.json, log/HOST, end/HOST, sent/FIRST     what the tasks and the sender leave
 */
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

/* Reads DIR/fleet.json. 0; -1 and the reason. fleet_close() in any case. */
int fleet_open(struct fleet *fleet, const char *folder, struct error *error);
void fleet_close(struct fleet *fleet);

/* DIR/fleet.json is there. */
int fleet_is_there(const char *folder);

/* Looks at the files and, if Slurm sends its tasks, at queue and nodes: lua/fleet/status.lua's result. A new
 * reference, or NULL and the reason, for instance that the controller does not answer. */
json_t *fleet_status(const struct fleet *fleet, struct script *script, struct error *error);

/* The names of hosts that a Slurm host list stands for, or, with `list` NULL, all nodes of a partition (NULL: of all
 * partitions). Without Slurm a list is names with commas between them. A new reference; NULL and the reason. */
json_t *fleet_hosts(const char *list, const char *partition, struct error *error);

/* Lines "HOST CORES" of all nodes, to be freed; NULL without Slurm. */
char *fleet_cores(void);

/* Slurm's commands are there. */
int fleet_has_slurm(void);

#endif
