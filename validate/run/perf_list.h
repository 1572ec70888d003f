/* perf_list.h - what perf knows on a node. */
#ifndef ASSAY_PERF_LIST_H
#define ASSAY_PERF_LIST_H

#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* The output of `perf list --details` on the node: events with their codes, metrics with their expressions. Freed by
 * the caller; NULL with the reason. */
char *perf_list_ask(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                    struct error *error);

#endif
