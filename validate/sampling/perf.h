/* perf.h - sampling on this machine by its own `perf`. */
#ifndef ASSAY_PERF_H
#define ASSAY_PERF_H

#include <jansson.h>
#include <stdint.h>

#include "validate/host/error.h"

/* One program, and what it may take. */
struct perf_run {
    char *const *program; /* NULL-ended */
    const char *work;     /* a folder of ours */
    double timeout;       /* of a run, in seconds */
};

/* How often an event, by perf's name, happens in the program, as the counter itself says. -1 and the reason: perf is
 * not there, may not count, or has no such event. */
int perf_count(const struct perf_run *run, const char *event, uint64_t *count, struct error *error);

/* Runs the program with a sample each `period` events. A new reference: { "functions": [ { "function": |null, "object":
 * , "samples": } ], "lost": }; NULL and the reason. */
json_t *perf_sample(const struct perf_run *run, const char *event, uint64_t period, struct error *error);

/* What `perf script -F ip,sym,dso` says, as perf_sample() returns it without "lost": [ .. ]. */
json_t *perf_read(const char *text);

#endif
