/* scratch.h - temporary folders that live as long as the process that made them.
 *
 * A folder is created in $TMPDIR (unset or empty: /dev/shm if SCRATCH_MEMORY_LEAST bytes are free there and it does not
 * end with a session, else /tmp; relative: from the current folder) with an unpredictable name and mode 0700. Its
 * creator holds a lock on it, which the kernel releases when the creator ends in any way. The lock tells dead folders
 * from live ones; process ids could not, as they are reused. Creating a folder first removes unlocked ones of the same
 * user.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_SCRATCH_H
#define ASSAY_LAUNCH_SCRATCH_H

#include <stddef.h>

enum { SCRATCH_PATH = 2048, SCRATCH_MEMORY_LEAST = 1 << 30 };

struct scratch {
    char folder[SCRATCH_PATH]; /* absolute; "": none */
    int lock;                  /* -1: none */
};

/* Measured programs copy names of folders and files in them. So the names have one of few lengths: slashes between
 * $TMPDIR and the rest pad them. */
enum { SCRATCH_LENGTH_STEP = 256 };

/* Creates PREFIX-XXXXXX; `prefix` starts with "assay". 0, or -1 and one line in `error`; then `out` has no folder. */
int scratch_make(const char *prefix, struct scratch *out, char *error, size_t size);

/* Removes the folder and its content; no effect if there is none. Links are removed, not followed. */
void scratch_remove(struct scratch *scratch);

#endif
