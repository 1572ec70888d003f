/* probe.h - do the counters of a node really count? A loop of known instructions is measured twice, once with double
 * the sweeps; the difference must be what its code says. */
#ifndef ASSAY_PROBE_H
#define ASSAY_PROBE_H

#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* 0 and "N instructions counted, M expected" in `finding` (300 bytes); -1 and the reason why they do not count. */
int probe_node(const struct node *node, const struct paths *paths, const struct likwid *likwid, char finding[300],
               struct error *error);

#endif
