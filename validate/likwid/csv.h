/* csv.h - reads what `likwid-perfctr -o FILE.csv` wrote: raw counts per region, hardware thread and counter.
 *
 * LIKWID's file is unquoted CSV padded with commas (FACTS: "Output"). Derived metrics are computed from the raw counts,
 * because LIKWID rounds what it prints and prints 0 for metrics of absent counters; its own are read as they are
 * printed, to be compared.
 */
#ifndef ASSAY_CSV_H
#define ASSAY_CSV_H

#include <jansson.h>

#include "validate/host/error.h"

/* Reads the text of one file. Returns
 *   { REGION: [ { "cpu": n, "seconds": t, "calls": n, "counts": { COUNTER: number }, "events": { COUNTER: EVENT },
 *                 "absent": { COUNTER: word }, "metrics": { NAME: text }, "clock_hz": f } ... ] }
 * with one element per hardware thread in LIKWID's order. `word` says why there is no number: "dash", "nan", "wrapped"
 * (the difference of two readings is negative or beyond any count) or "unreadable". "clock_hz" is the processor's clock
 * as LIKWID found it. The region of a run without the Marker API is "". NULL and file:line if the text is not LIKWID's.
 */
json_t *csv_read(const char *text, const char *file, struct error *error);

#endif
