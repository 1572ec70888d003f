/* choose.h - which node is measured, and whether its counters really count. */
#ifndef ASSAY_CHOOSE_H
#define ASSAY_CHOOSE_H

#include "validate/node/node.h"

/* Chooses by "auto", "native", "virtual" or "virtual:NAME". A native node is taken only if a probe really counts
 * (probe.h), "auto" takes the virtual one else. -1: this machine cannot do what was asked, with the remedy. */
int node_choose(const char *wish, const struct paths *paths, const struct likwid *likwid, struct node *node,
                struct error *error);

/* The NAME of "virtual:NAME", "" of "virtual", a part of `wish`; NULL if it is neither. */
const char *node_virtual_name(const char *wish);

#endif
