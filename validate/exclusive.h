/* exclusive.h - one at a time: advisory locks on files, released when the process ends. */
#ifndef ASSAY_EXCLUSIVE_H
#define ASSAY_EXCLUSIVE_H

#include "error.h"

/* Takes the lock on `file`, which is made if it is not there. Returns a descriptor; -1 if the file cannot be opened or
 * another process holds the lock, which the error then says with `busy` (what is going on, what to do). */
int exclusive_take(const char *file, const char *busy, struct error *error);

#endif
