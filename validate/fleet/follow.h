/* follow.h - waits until nothing of a fleet is to be waited for, and says how far it is. */
#ifndef ASSAY_FOLLOW_H
#define ASSAY_FOLLOW_H

#include "fleet.h"
#include "validate/host/process.h"

/* Looks again and again, with a line on stderr (on a terminal always the same one), until lua/fleet/status.lua
 * says that it is over, twice, as files of a shared folder may come late; until `launcher` (NULL: none) has ended; or
 * until a stop is asked for (stop.h). A controller that does not answer is waited for. The last status, a new
 * reference; NULL and the reason. */
json_t *follow(const struct fleet *fleet, struct script *script, struct process *launcher, struct error *error);

#endif
