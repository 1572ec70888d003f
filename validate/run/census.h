/* census.h - which uncore boxes a node has, found by counting on all that its architecture can have. */
#ifndef ASSAY_CENSUS_H
#define ASSAY_CENSUS_H

#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* Adds `boxes` { KIND: [number, ...] } and `census`, an array of texts about those that do not count, to the node's
 * description (lua/plan/census.lua). -1: it could not be measured, and the reason; the topology has the word then. */
int census_take(struct node *node, const struct paths *paths, const struct likwid *likwid, struct error *error);

#endif
