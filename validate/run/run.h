/* run.h - one likwid-perfctr command: prepared, started, read. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "types.h"

/* Stages the group file, takes a run slot and starts likwid-perfctr. */
int run_start(struct run *run, const struct run_context *context, struct error *error);

/* After its process ended: { "id", "seconds", "status", "regions": csv_read() or null, "why": word or null,
 *   "command", "not_counted": {..}, "messages": tail of stderr }. Releases slot and process. */
json_t *run_finish(struct run *run);

/* The result of a run that could not start. */
json_t *run_not_started(const struct run *run, const struct error *error);

/* Stops it at once and releases everything. */
void run_abort(struct run *run);

#endif
