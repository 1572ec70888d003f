/* gather.h - the records of many nodes, read as many at once as there are cores, and of each only what nodes are
 * compared by. */
#ifndef ASSAY_GATHER_H
#define ASSAY_GATHER_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads NODES/HOST.json for each of the hosts, each forgotten once it is reduced. Returns
 *   { "metrics": [ { "pattern", "code", "level", "placement", "group", "metric", "tolerance_pct" } ... ],
 *     "nodes": [ { "host", "node": the record's, "assay", "started", "faults", "failures": their number, "blame": [text
 * ...], "values": [ the metric's mean deviation from what was expected, in %, or null ... ], "verdicts": a letter a
 * metric: its place in VERDICTS of lua/judge/vocabulary.lua from 'a' on, '-' for none } ... ], "broken": [ { "host",
 * "why" } ... ] } with hosts and metrics in the order of their first appearance. A host without a file is left out, one
 * whose file is no record is `broken`. `verdicts`: these words. A new reference; NULL and the reason. */
json_t *gather_records(const char *folder, const json_t *hosts, const json_t *verdicts, struct error *error);

#endif
