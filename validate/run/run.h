/* run.h - prepares and starts one likwid-perfctr command and reads its counts. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "types.h"

/* Writes the group file, takes a run slot and starts likwid-perfctr. Returns 0, or -1 with the reason. */
int run_start(struct run *run, const struct run_context *context, struct error *error);

/* The command of a run as typed in a shell, without starting it; freed by the caller. Not for a user's program. */
char *run_command(const struct run *run, const struct run_context *context);

/* To be called when the process has ended. Releases slot and process and returns { "id", "seconds", "status",
 *   "regions": csv_read() or null, "why": word or null, "command", "not_counted": {..}, "messages": tail of stderr,
 *   "skipped": regions without counts, .. }. A user's program has "ranks", program_read(), instead of "regions". */
json_t *run_finish(struct run *run);

/* The result of a run that could not start. */
json_t *run_not_started(const struct run *run, const struct error *error);

/* Kills the run's process and releases everything. */
void run_abort(struct run *run);

#endif
