/* cache_discovery.h - `assay configuration`: a node's caches and TLBs, found in rounds of walks whose misses are
 * counted.
 */
#ifndef ASSAY_CACHE_DISCOVERY_H
#define ASSAY_CACHE_DISCOVERY_H

#include "event_survey.h"

/* Measures in rounds until every question is answered, on what documented_open() has prepared. EXIT_DONE and
 * `*findings`, a new reference to lua/events/configuration/compare.lua's; or the exit status and the reason. */
int cache_discovery_measure(struct event_survey *e, json_t **findings, struct error *error);

#endif
