/* exclusive.c - advisory locks. SPDX-License-Identifier: GPL-3.0-or-later */
#include "exclusive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int exclusive_take(const char *file, const char *busy, struct error *error) {
    /* An existing file of another user in /tmp may be opened, but not with O_CREAT (fs.protected_regular). */
    int lock = open(file, O_RDONLY | O_CLOEXEC);
    if (lock < 0)
        lock = open(file, O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
    if (lock < 0)
        return error_set(error, "%s: cannot lock: %s", file, strerror(errno));
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        close(lock);
        return error_set(error, "%s", busy);
    }
    return lock;
}
