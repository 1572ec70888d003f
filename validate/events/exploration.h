/* exploration.h - `assay configuration`: a node's caches and TLBs, found in rounds of walks whose misses are counted.
 */
#ifndef ASSAY_EXPLORATION_H
#define ASSAY_EXPLORATION_H

#include "examination.h"

/* Measures in rounds until every question is answered, on what documented_open() has prepared. EXIT_DONE and
 * `*findings`, a new reference to lua/events/configuration/compare.lua's; or the exit status and the reason. */
int exploration_measure(struct examination *e, json_t **findings, struct error *error);

/* Writes the findings to `e->d.v.options.out`: { "schema": 1, "kind": "configuration", "assay", "started", "seconds",
 * "node", "faults", "parts": findings }. 0, or -1 and the reason. */
int exploration_write(const struct examination *e, json_t *findings, struct error *error);

#endif
