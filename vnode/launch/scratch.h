/* scratch.h - folders for temporary files that live as long as the process that made them.
 *
 * A folder is made in $TMPDIR (unset or empty: /tmp; relative: seen from here) with a name that nobody can foresee and
 * mode 0700. Its maker holds a lock on it, which the kernel gives back when the maker ends, however it ends. So a
 * folder of a dead process is told from that of a living one without asking for process numbers, which are used again:
 * whoever makes a folder first removes those of the same user that nobody holds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_SCRATCH_H
#define ASSAY_LAUNCH_SCRATCH_H

#include <stddef.h>

enum { SCRATCH_PATH = 2048 };

struct scratch {
    char folder[SCRATCH_PATH]; /* absolute; "": there is none */
    int lock;                  /* -1: none */
};

/* Names of folders, and of what is in them, are texts that measured programs copy: they have one of few lengths, which
 * slashes between $TMPDIR and the rest fill up. */
enum { SCRATCH_LENGTH_STEP = 256 };

/* Makes PREFIX-XXXXXX; `prefix` starts with "assay". 0, or -1 and one line in `error`, `out` then holds no folder. */
int scratch_make(const char *prefix, struct scratch *out, char *error, size_t size);

/* Removes the folder with all that is in it; nothing if there is none. Links in it are removed, not followed. */
void scratch_remove(struct scratch *scratch);

#endif
