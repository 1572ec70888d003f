/* choose.h - chooses the node to measure and checks that its counters count. */
#ifndef ASSAY_CHOOSE_H
#define ASSAY_CHOOSE_H

#include "validate/node/node.h"

/* Whether "auto" may choose a virtual node if this machine's counters do not count. A command about this machine or the
 * user's program must not report simulated counts unasked. NODE_UNJUDGED: no, but a native node's processor may be one
 * without a folder in groups/ (node_take_unjudged()). */
enum node_fallback { NODE_NO_FALLBACK, NODE_MAY_SIMULATE, NODE_UNJUDGED };

/* Chooses a node; `wish` is "auto", "native", "virtual" or "virtual:NAME". A native node is chosen only if a probe
 * counts correctly (probe.h). -1 with the reason and the remedy if the wish cannot be met. */
int node_choose(const char *wish, enum node_fallback fallback, const struct paths *paths, const struct likwid *likwid,
                struct node *node, struct error *error);

/* Chooses the node for a plan; nothing is measured. Also takes "native:ARCH", a machine of that architecture with the
 * topology that hwloc reports. -1 with the reason. */
int node_choose_unmeasured(const char *wish, const struct paths *paths, const struct likwid *likwid, struct node *node,
                           struct error *error);

/* NAME for "virtual:NAME", "" for "virtual"; points into `wish`. NULL for any other wish. */
const char *node_virtual_name(const char *wish);

#endif
