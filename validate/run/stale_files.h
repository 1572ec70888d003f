/* stale_files.h - what a program leaves next to the files it is given, so that each of its runs finds what the first
 * one found.
 *
 * Looked at are regular files that are words of the command, and what has names that begin with theirs in the same
 * folder: `gzip -k FILE` leaves FILE.gz, and would refuse to do so again. What a run has made is removed before the
 * next one, and a FILE that is gone or was changed is put back. What the last run made stays. Files above
 * STALE_FILES_MOST are not kept, so not put back.
 *
 * Only a run's own files are touched: the virtual node tells which files its processes have made or written
 * (vnode/written_file.h). Another process's file stays as it is. On a native node nothing is proven: new files stay,
 * which one line on standard error says, and a FILE that was changed is an error. */
#ifndef ASSAY_STALE_FILES_H
#define ASSAY_STALE_FILES_H

#include <jansson.h>

#include "validate/host/error.h"

enum { STALE_FILES_MOST = 1 << 30 }; /* bytes */

struct stale_files {
    struct stale_file *given; /* a file of the command's words each */
    size_t count;
    json_t *written; /* by the last run, as run_slot_written() tells; NULL: not known */
};

/* Takes down how things are before the first run; copies are made in `work`. -1 and the reason. */
int stale_files_note(struct stale_files *stale_files, char *const command[], const char *work, struct error *error);

/* Takes what a run has written: run_slot_written()'s, a reference that is taken over. */
void stale_files_learn(struct stale_files *stale_files, json_t *written);

/* Makes them so again, as far as what was learnt of the last run proves. -1 and the reason. */
int stale_files_restore(struct stale_files *stale_files, struct error *error);

void stale_files_release(struct stale_files *stale_files);

#endif
