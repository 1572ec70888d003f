/* access.h - how LIKWID reaches the counters of this machine, and what keeps this user from it. */
#ifndef ASSAY_ACCESS_H
#define ASSAY_ACCESS_H

#include <limits.h>
#include <stddef.h>

#include "validate/host/paths.h"

struct access_way {
    char mode[16];         /* LIKWID's: "accessdaemon", "direct" (/dev/cpu) or "perf_event" */
    char daemon[PATH_MAX]; /* of "accessdaemon" */
};

/* Asks the installed LIKWID (validate/exec/likwid_access.c). -1: it does not say, with its own reason. */
int access_ask(const struct paths *paths, struct access_way *way, struct error *error);

/* What keeps this user from the counters into `text`, and its remedy; NULL: nothing does. */
const char *access_obstacle(const struct access_way *way, char *text, size_t size);

#endif
