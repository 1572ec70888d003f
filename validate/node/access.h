/* access.h - LIKWID's access mode on this machine, and obstacles for this user. */
#ifndef ASSAY_ACCESS_H
#define ASSAY_ACCESS_H

#include <limits.h>
#include <stddef.h>

#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"

struct access_way {
    char mode[16];         /* LIKWID's: "accessdaemon", "direct" (/dev/cpu) or "perf_event" */
    char daemon[PATH_MAX]; /* path, for "accessdaemon" */
    char lock[PATH_MAX];   /* LIKWID's lock file, by which an administrator reserves the counters; "" or "-": unknown */
};

/* Queries the installed LIKWID (validate/exec/likwid_access.c). 0, or -1 with LIKWID's reason. */
int access_ask(const struct paths *paths, const struct likwid *likwid, struct access_way *way, struct error *error);

/* Whether LIKWID counts through the kernel: then it uses no access daemon, on no node. */
int access_is_perf(const struct access_way *way);

/* Writes to `text` why this user cannot access the counters. Returns the remedy, or NULL if access is possible. */
const char *access_obstacle(const struct access_way *way, char *text, size_t size);

#endif
