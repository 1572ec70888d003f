/* gather.h - reads the records of many nodes with one thread per core and keeps the values used to compare nodes. */
#ifndef ASSAY_GATHER_H
#define ASSAY_GATHER_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads FOLDER/HOST.json for each host and reduces it at once, so few records are in memory. Returns
 *   { "metrics": [ { "pattern", "code", "level", "placement", "group", "metric", "tolerance_pct" } ... ],
 *     "nodes": [ { "host", "node", "assay", "started", "faults": from the record, "failures": their number,
 *                  "blame": [text ...], "values": [number or null ...], "verdicts": text } ... ],
 *     "broken": [ { "host", "why" } ... ] }
 * "values" has each metric's mean deviation from the expected value in %; "verdicts" a letter per metric: 'a' for the
 * first of VERDICTS in lua/judge/vocabulary.lua, '-' for none. Hosts and metrics are in the order of their first
 * appearance. A host without a file is left out; an invalid record is `broken`. `verdicts`: the words of VERDICTS. A
 * new reference; NULL with the reason. */
json_t *gather_records(const char *folder, const json_t *hosts, const json_t *verdicts, struct error *error);

#endif
