/* perf.h - counts and samples events on this machine with `perf`. */
#ifndef ASSAY_PERF_H
#define ASSAY_PERF_H

#include <jansson.h>
#include <stdint.h>

#include "validate/host/error.h"

/* A program to run and its limits. */
struct perf_run {
    char *const *program; /* NULL-terminated */
    const char *work;     /* scratch folder */
    double timeout;       /* per run, in seconds */
};

/* Counts an event, named as in perf, in the program without sampling. 0, or -1 with the reason: perf is missing, may
 * not count, or has no such event. */
int perf_count(const struct perf_run *run, const char *event, uint64_t *count, struct error *error);

/* Runs the program with a sample every `period` events. A new reference: { "functions": [ { "function" if known,
 * "object", "samples" } ], "lost" }; NULL with the reason. */
json_t *perf_sample(const struct perf_run *run, const char *event, uint64_t period, struct error *error);

/* Converts the output of `perf script -F ip,sym,dso` to the array "functions" of perf_sample(). */
json_t *perf_read(const char *text);

#endif
