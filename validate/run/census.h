/* census.h - finds a node's uncore boxes by counting on all boxes that its architecture may have. */
#ifndef ASSAY_CENSUS_H
#define ASSAY_CENSUS_H

#include "validate/likwid/likwid.h"
#include "validate/node/node.h"

/* Adds to the node's description `boxes` { KIND: [number, ...] }, and `absent` and `ghosts`, arrays of texts about
 * boxes that do not count (lua/plan/census.lua). Returns 0; -1 with the reason if it could not be measured: then the
 * topology decides. */
int census_take(struct node *node, const struct paths *paths, const struct likwid *likwid, struct error *error);

#endif
