/* choose.h - which node is measured, and whether its counters really count. */
#ifndef ASSAY_CHOOSE_H
#define ASSAY_CHOOSE_H

#include "validate/node/node.h"

/* What "auto" takes if this machine's counters do not count. A command that speaks about this machine, or measures the
 * user's program, must not answer with simulated counts that nobody asked for. */
enum node_fallback { NODE_NO_FALLBACK, NODE_MAY_SIMULATE };

/* Chooses by "auto", "native", "virtual" or "virtual:NAME". A native node is taken only if a probe really counts
 * (probe.h). -1: this machine cannot do what was asked, with the remedy. */
int node_choose(const char *wish, enum node_fallback fallback, const struct paths *paths, const struct likwid *likwid,
                struct node *node, struct error *error);

/* The NAME of "virtual:NAME", "" of "virtual", a part of `wish`; NULL if it is neither. */
const char *node_virtual_name(const char *wish);

#endif
