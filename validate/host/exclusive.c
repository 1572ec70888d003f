/* exclusive.c - locks on files and machine-wide locks. SPDX-License-Identifier: GPL-3.0-or-later */
#include "exclusive.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* -1 with the reason if this is not a regular file owned by this user. */
static int check_own(const char *file, int lock, struct error *error) {
    struct stat status;
    if (fstat(lock, &status) != 0)
        return error_set(error, "%s: cannot lock: %s", file, strerror(errno));
    if (!S_ISREG(status.st_mode) || status.st_uid != geteuid())
        return error_set(error, "%s: cannot lock: no file of yours; remove it or choose another file with --out", file);
    return 0;
}

static int open_own(const char *file, struct error *error) {
    int lock = open(file, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (lock < 0 && errno == ELOOP)
        return error_set(error, "%s: cannot lock: a link; remove it or choose another file with --out", file);
    if (lock < 0)
        return error_set(error, "%s: cannot lock: %s", file, strerror(errno));
    if (check_own(file, lock, error) != 0) {
        close(lock);
        return -1;
    }
    return lock;
}

/* Whether `file` still names the locked file: the previous holder may have removed it. */
static int is_named(const char *file, int lock) {
    struct stat locked, named;
    return fstat(lock, &locked) == 0 && lstat(file, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

static int refuse(const char *file, const char *busy, int why, struct error *error) {
    return why == EWOULDBLOCK
               ? error_set(error, "%s", busy)
               : error_set(error, "%s: cannot lock: %s; use a folder on a file system with locks", file, strerror(why));
}

int exclusive_take(const char *file, const char *busy, struct error *error) {
    for (;;) {
        int lock = open_own(file, error);
        if (lock < 0)
            return -1;
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            int why = errno;
            close(lock);
            return refuse(file, busy, why, error);
        }
        if (is_named(file, lock))
            return lock;
        close(lock);
    }
}

void exclusive_release(const char *file, int lock) {
    unlink(file);
    close(lock);
}

/* Names the process that holds the machine's lock: connecting to a listening socket reveals its owner. */
static int name_holder(const struct sockaddr_un *address, socklen_t length, struct error *error) {
    struct ucred holder = {0};
    socklen_t size = sizeof holder;
    int asking = socket(AF_LOCAL, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int known = asking >= 0 && connect(asking, (const struct sockaddr *)address, length) == 0 &&
                getsockopt(asking, SOL_SOCKET, SO_PEERCRED, &holder, &size) == 0;
    if (asking >= 0)
        close(asking);
    static const char what[] = "measures this machine; wait for it: counters are not shared";
    return known ? error_set(error, "another campaign (process %d of user %u) %s", (int)holder.pid,
                             (unsigned)holder.uid, what)
                 : error_set(error, "another campaign %s", what);
}

int exclusive_machine(const char *name, struct error *error) {
    struct sockaddr_un address = {.sun_family = AF_LOCAL};
    /* abstract namespace: sun_path starts with a NUL */
    int used = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)used);
    int lock = socket(AF_LOCAL, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (lock >= 0 && bind(lock, (const struct sockaddr *)&address, length) == 0 && listen(lock, 1) == 0)
        return lock;
    int why = errno;
    if (lock >= 0)
        close(lock);
    if (why == EADDRINUSE)
        return name_holder(&address, length, error);
    return error_set(error, "cannot lock this machine: %s", strerror(why));
}
