/* leavings.h - what a program leaves beside the files it is given, so that each of its runs finds what the first one
 * found.
 *
 * Looked at are regular files that are words of the command, and what has names that begin with theirs in the same
 * folder: `gzip -k FILE` leaves FILE.gz, and would refuse to do so again. What such a run has made is removed before
 * the next one, and a FILE that is gone or was changed is put back. Nothing else is touched, and what the last run made
 * stays. Files above LEAVINGS_MOST are not kept, so not put back. */
#ifndef ASSAY_LEAVINGS_H
#define ASSAY_LEAVINGS_H

#include <jansson.h>

#include "validate/host/error.h"

enum { LEAVINGS_MOST = 1 << 30 }; /* bytes */

struct leavings {
    json_t *given; /* [ { "folder", "name", "beside": { NAME: true }, "copy": file | null } .. ] */
};

/* Takes down how things are before the first run; copies are made in `work`. -1 and the reason. */
int leavings_note(struct leavings *leavings, char *const command[], const char *work, struct error *error);

/* Makes them so again. */
int leavings_restore(const struct leavings *leavings, struct error *error);

void leavings_release(struct leavings *leavings);

#endif
