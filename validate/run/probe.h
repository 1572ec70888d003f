/* probe.h - checks that a node's counters count. A loop with a known number of instructions is measured with N and 2 N
 * sweeps; the difference must be the number computed from its code. */
#ifndef ASSAY_PROBE_H
#define ASSAY_PROBE_H

#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* Returns 0 and stores "a loop of N instructions was counted as M" in `finding` (300 bytes); -1 with the reason if the
 * counters do not count. */
int probe_node(const struct node *node, const struct paths *paths, const struct likwid *likwid, char finding[300],
               struct error *error);

#endif
