/* exclusive.h - one at a time: locks that are released when the process ends. */
#ifndef ASSAY_EXCLUSIVE_H
#define ASSAY_EXCLUSIVE_H

#include "error.h"

/* Takes the lock on `file`, which is made if it is not there. Returns a descriptor; -1 if the file cannot be opened, is
 * a link, no file or another user's, or another process holds the lock, which the error then says with `busy` (what is
 * going on, what to do). */
int exclusive_take(const char *file, const char *busy, struct error *error);

/* Removes the file of a lock and releases it. */
void exclusive_release(const char *file, int lock);

/* Takes the one lock of that name on this machine, for all users of it: a name and no file, so that nobody can put
 * something else in its place. `name`: at most 100 characters. Returns a descriptor, to be closed; -1 if another
 * process holds it, which is named. Machine means network name space: containers with one of their own do not see each
 * other. */
int exclusive_machine(const char *name, struct error *error);

#endif
