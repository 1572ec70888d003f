/* access.h - LIKWID's access mode on this machine, and obstacles for this user. */
#ifndef ASSAY_ACCESS_H
#define ASSAY_ACCESS_H

#include <limits.h>
#include <stddef.h>

#include "validate/likwid/likwid.h"

/* Writes to `file` (PATH_MAX) the path of LIKWID's lock file, by which an administrator reserves the counters. -1:
 * unknown. */
int access_lock_file(const struct likwid *likwid, char *file);

/* Both write to `text` why there is no access, and return the remedy; NULL if access is possible. */

/* Why this user cannot access this machine's counters. */
const char *access_obstacle(const struct likwid *likwid, char *text, size_t size);

/* Whether LIKWID is built for perf_event, and no configuration file leaves that open. */
int access_is_perf(const struct likwid *likwid);

/* Why this LIKWID cannot access a virtual node's counters as an access daemon reads them. */
const char *access_obstacle_virtual(const struct likwid *likwid, char *text, size_t size);

#endif
