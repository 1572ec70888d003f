/* follow.h - waits until a fleet has finished and prints its progress. */
#ifndef ASSAY_FOLLOW_H
#define ASSAY_FOLLOW_H

#include "fleet.h"
#include "validate/host/process.h"

/* Polls the fleet's status and prints it on stderr, on a terminal in one line. Ends when `launcher` has ended, or
 * without one (NULL) when lua/fleet/status.lua has reported the end twice in a row (files in a shared folder may appear
 * late), or when a stop is requested (stop.h). Retries if Slurm's controller does not answer. Returns the last status,
 * a new reference; NULL with the reason. */
json_t *follow(const struct fleet *fleet, struct script *script, struct process *launcher, struct error *error);

#endif
