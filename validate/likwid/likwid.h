/* likwid.h - the installed LIKWID: its path, its version, and the processor it detects. */
#ifndef ASSAY_LIKWID_H
#define ASSAY_LIKWID_H

#include <limits.h>

#include "validate/host/error.h"

struct likwid {
    char perfctr[PATH_MAX]; /* likwid-perfctr, from $LIKWID_PREFIX/bin or PATH */
    char version[32];       /* "5.2.2" */
};

/* Finds likwid-perfctr and its version. -1: the error names what is missing and the remedy. */
int likwid_find(struct likwid *likwid, struct error *error);

/* Stores LIKWID's short name of this machine's architecture in `arch` (32 bytes). -1, and "", if LIKWID does not know
 * it. */
int likwid_arch(const struct likwid *likwid, char arch[32], struct error *error);

/* The output of likwid-features -l for this machine's first core, freed by the caller; NULL if empty. */
char *likwid_features(const struct likwid *likwid);

/* Puts $LIKWID_PREFIX/bin, if set, in front of PATH, so that all LIKWID programs come from there. */
void likwid_prefer_prefix(void);

#endif
