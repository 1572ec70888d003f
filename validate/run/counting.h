/* counting.h - runs that count through perf_event_open(2) or PAPI instead of LIKWID (validate/exec/marker.c). */
#ifndef ASSAY_COUNTING_H
#define ASSAY_COUNTING_H

#include "types.h"

/* Writes the run's counters into its folder. 0, or -1 with the reason. */
int counting_stage(const struct run *run, const struct run_context *context, struct error *error);

/* Variables that make a program count, at the start of a shell's command and of an environment; `library`: others that
 * are preloaded, NULL: none. Freed by the caller. */
char *counting_preload(const char *library);
extern const char counting_events[];

/* Counters that do not count, from the program's messages: { COUNTER: reason }. A new reference. */
json_t *counting_not_counted(const char *messages);

#endif
