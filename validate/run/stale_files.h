/* stale_files.h - restores the files of a user's program between runs, so that each run finds the same files as the
 * first.
 *
 * This covers the regular files named in the command, and files in the same folders whose names begin with theirs:
 * `gzip -k FILE` leaves FILE.gz and fails in the next run if that exists. Files created by a run are removed before the
 * next run; those of the last run stay. A FILE that was removed or changed is restored, unless it is larger than
 * STALE_FILES_MOST: such files are not copied.
 *
 * Only files written by the run are touched: the virtual node records which files its processes created or wrote
 * (vnode/written_file.h). Files of other processes stay as they are. On a native node the writer is unknown: new files
 * stay, with a line on standard error, and a changed FILE is an error. */
#ifndef ASSAY_STALE_FILES_H
#define ASSAY_STALE_FILES_H

#include <jansson.h>

#include "validate/host/error.h"

enum { STALE_FILES_MOST = 1 << 30 }; /* bytes; a larger file is not copied and not restored */

struct stale_files {
    struct stale_file *given; /* one per file named in the command */
    size_t count;
    json_t *written; /* by the last run: run_slot_written(); NULL: unknown */
};

/* Records the state before the first run and copies the files to `work`. 0, or -1 with the reason. */
int stale_files_note(struct stale_files *stale_files, char *const command[], const char *work, struct error *error);

/* Stores the files that a run has written, from run_slot_written(); takes over the reference. */
void stale_files_learn(struct stale_files *stale_files, json_t *written);

/* Restores the recorded state where the last run is known to have changed it. 0, or -1 with the reason. */
int stale_files_restore(struct stale_files *stale_files, struct error *error);

void stale_files_release(struct stale_files *stale_files);

#endif
