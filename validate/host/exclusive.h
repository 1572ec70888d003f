/* exclusive.h - locks held by one process at a time and released when it ends. */
#ifndef ASSAY_EXCLUSIVE_H
#define ASSAY_EXCLUSIVE_H

#include "error.h"

/* Takes the lock on `file`, creating it if needed. Returns a descriptor; -1 if the file cannot be opened, is a link, is
 * not a regular file, belongs to another user, cannot be locked, or is locked by another process. In the last case the
 * error is `busy` (what is going on, what to do). */
int exclusive_take(const char *file, const char *busy, struct error *error);

/* Removes the lock's file and releases the lock. */
void exclusive_release(const char *file, int lock);

/* Takes the machine-wide lock of that name, shared by all users. It is an abstract socket, not a file, so nobody can
 * replace it. `name`: at most 100 characters. Returns a descriptor, closed by the caller; -1 if another process holds
 * the lock, with that process in the error. The lock covers one network namespace: containers with separate ones do not
 * exclude each other. */
int exclusive_machine(const char *name, struct error *error);

#endif
