/* likwid.h - the installed LIKWID: where it is, its version, and the processor it believes in. */
#ifndef ASSAY_LIKWID_H
#define ASSAY_LIKWID_H

#include <limits.h>

#include "validate/host/error.h"

struct likwid {
    char perfctr[PATH_MAX]; /* likwid-perfctr, from $LIKWID_PREFIX/bin or PATH */
    char version[32];       /* "5.2.2" */
};

/* Finds likwid-perfctr and asks for its version. -1 names what is missing and the remedy. */
int likwid_find(struct likwid *likwid, struct error *error);

/* LIKWID's short name of this machine's architecture into `arch` (32 bytes). -1 if LIKWID does not know it. */
int likwid_arch(const struct likwid *likwid, char arch[32], struct error *error);

/* What likwid-features -l prints of this machine's first core, to be freed; NULL if it says nothing. */
char *likwid_features(const struct likwid *likwid);

/* Puts $LIKWID_PREFIX/bin, if set, in front of PATH, so that every part of LIKWID comes from there. */
void likwid_prefer_prefix(void);

#endif
