/* likwid.h - the installed LIKWID: its path, its version, how it accesses counters, and the processor it detects. */
#ifndef ASSAY_LIKWID_H
#define ASSAY_LIKWID_H

#include <jansson.h>
#include <limits.h>

#include "validate/host/paths.h"

#define LIKWID_OPTION_DIRECT "likwid-perfctr -M 0"

struct likwid {
    char perfctr[PATH_MAX]; /* likwid-perfctr, from $LIKWID_PREFIX/bin or PATH */
    char version[32];       /* "5.2.2" */
    char mode[16];          /* LIKWID's: "accessdaemon", "direct" (/dev/cpu) or "perf_event"; "": it does not say */
    char path[PATH_MAX];    /* "accessdaemon": the daemon's; "direct": the configuration file that LIKWID read, "" if
                             * there is none, or LIKWID_OPTION_DIRECT if likwid-perfctr is a script that adds it */
    char library[PATH_MAX]; /* liblikwid.so; "" or "-": unknown */
    const char *interface;  /* what counts instead of LIKWID: "perf", "perf-metrics" or "papi"; NULL: LIKWID */
};

/* Finds likwid-perfctr and asks it all of that. With `paths`, an earlier answer of the same installation is taken
 * (remembered.h); NULL: it is asked in any case. -1: the error names what is missing and the remedy. */
int likwid_find(struct likwid *likwid, const struct paths *paths, struct error *error);

/* Stores LIKWID's short name of this machine's architecture in `arch` (32 bytes). -1, and "", if LIKWID does not know
 * it. */
int likwid_arch(const struct likwid *likwid, char arch[32], struct error *error);

/* The output of likwid-features -l for this machine's first core, freed by the caller; NULL if empty. */
char *likwid_features(const struct likwid *likwid);

/* How LIKWID numbers CPUs in its options -c and -C: { "CPU of the system": LIKWID's number }, a new reference. If this
 * process may not use all configured CPUs, LIKWID counts the usable ones in an order of its own. `cpus`: number of
 * usable CPUs. NULL with the reason. */
json_t *likwid_numbers(const struct likwid *likwid, int cpus, struct error *error);

/* If LIKWID_PREFIX is set, puts its bin and sbin in front of PATH, so that all LIKWID programs come from there. */
void likwid_prefer_prefix(void);

#endif
