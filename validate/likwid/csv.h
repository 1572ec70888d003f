/* csv.h - reads the output of `likwid-perfctr -o FILE.csv`: raw counts per region, hardware thread and counter.
 *
 * LIKWID's file is unquoted CSV padded with commas. Assay computes metrics from the raw counts, because LIKWID prints
 * rounded metrics, and 0 for metrics of absent counters. LIKWID's metrics are kept as text for comparison. */
#ifndef ASSAY_CSV_H
#define ASSAY_CSV_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads the text of one file. Returns
 *   { REGION: [ { "cpu": n, "seconds": t, "calls": n, "counts": { COUNTER: number }, "events": { COUNTER: EVENT },
 *                 "absent": { COUNTER: word }, "metrics": { NAME: text }, "clock_hz": f } ... ] }
 * with one element per hardware thread, in LIKWID's order. `word` is the reason for a missing number: "dash", "nan",
 * "wrapped" (the difference of two readings is negative or impossibly large) or "unreadable". "clock_hz" is the
 * processor's clock printed by LIKWID. The region of a run without the Marker API is "". NULL with an error that names
 * file:line if the text is not LIKWID's. */
json_t *csv_read(const char *text, const char *file, struct error *error);

#endif
