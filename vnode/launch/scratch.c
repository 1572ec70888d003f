/* scratch.c - temporary folders that live as long as the process that made them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "tree.h"

/* A folder without this file is not (yet) locked by its creator and must not be removed. */
static const char owned[] = ".owned";
static const char common_prefix[] = "assay";
static const char random_suffix[] = "-XXXXXX";

static int open_folder(int at, const char *name) {
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Removes a folder whose creator has ended. */
static void remove_if_left(int base, const char *name) {
    struct stat status;
    int folder = open_folder(base, name);
    if (folder < 0)
        return;
    int left = fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 077) == 0 &&
               faccessat(folder, owned, F_OK, AT_SYMLINK_NOFOLLOW) == 0 && flock(folder, LOCK_EX | LOCK_NB) == 0;
    if (left)
        tree_remove(base, name);
    close(folder);
}

static void remove_all_left(const char *base) {
    DIR *dir = opendir(base);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir))
        if (strncmp(entry->d_name, common_prefix, sizeof common_prefix - 1) == 0)
            remove_if_left(dirfd(dir), entry->d_name);
    if (dir)
        closedir(dir);
}

/* The lock, -1 if the file system has none: such a folder is never removed as stale. */
static int lock(const char *path) {
    int folder = open_folder(AT_FDCWD, path);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0) {
        int mark = openat(folder, owned, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (mark >= 0)
            close(mark);
        return folder;
    }
    if (folder >= 0)
        close(folder);
    return -1;
}

static int complain(char *error, size_t size, const char *base, const char *why) {
    snprintf(error, size, "TMPDIR=%.*s: cannot make a scratch folder there: %s; set TMPDIR to one that can be written",
             200, base, why);
    return -1;
}

/* Writes BASE////PREFIX-XXXXXX, padded to a multiple of the step. 0, or -1: too long. */
static int name_folder(char *out, const char *base, const char *prefix) {
    size_t before = strlen(base), behind = strlen(prefix) + sizeof random_suffix - 1;
    size_t slashes = SCRATCH_LENGTH_STEP - (before + behind) % SCRATCH_LENGTH_STEP;
    if (before + slashes + behind >= SCRATCH_PATH)
        return -1;
    memcpy(out, base, before);
    memset(out + before, '/', slashes);
    snprintf(out + before + slashes, behind + 1, "%s%s", prefix, random_suffix);
    return 0;
}

static const char memory[] = "/dev/shm", disk[] = "/tmp";

/* logind removes what a user has in /dev/shm when the last session ends, even if processes go on. Not for users below
 * the number, and not without a session, as in batch jobs and containers. */
static int ends_with_session(void) {
    enum { FIRST_USER = 1000 };
    char user[64];
    snprintf(user, sizeof user, "/run/systemd/users/%lu", (unsigned long)geteuid());
    return geteuid() >= FIRST_USER && access(user, F_OK) == 0;
}

/* In memory if there is room: a node writes hundreds of small files, and ext4, for example, avoids the places of files
 * removed shortly before, which takes longer than all else in the start of a small program. */
static const char *default_base(void) {
    struct statvfs file_system;
    int has_room = statvfs(memory, &file_system) == 0 &&
                   (uint64_t)file_system.f_bavail * file_system.f_frsize >= SCRATCH_MEMORY_LEAST;
    return has_room && !ends_with_session() && access(memory, W_OK | X_OK) == 0 ? memory : disk;
}

int scratch_make(const char *prefix, struct scratch *out, char *error, size_t size) {
    const char *base = getenv("TMPDIR");
    char *absolute = NULL;
    out->folder[0] = '\0';
    out->lock = -1;
    if (!base || !*base) {
        base = default_base();
        remove_all_left(base == memory ? disk : memory);
    }
    if (*base != '/' && !(absolute = realpath(base, NULL)))
        return complain(error, size, base, strerror(errno));
    const char *start = absolute ? absolute : base;
    int result = 0;
    remove_all_left(start);
    if (name_folder(out->folder, start, prefix) != 0) {
        result = complain(error, size, base, strerror(ENAMETOOLONG));
    } else if (!mkdtemp(out->folder)) {
        result = complain(error, size, base, strerror(errno));
    } else {
        out->lock = lock(out->folder);
    }
    if (result != 0)
        out->folder[0] = '\0';
    free(absolute);
    return result;
}

void scratch_remove(struct scratch *scratch) {
    if (scratch->folder[0])
        tree_remove(AT_FDCWD, scratch->folder);
    if (scratch->lock >= 0)
        close(scratch->lock);
    scratch->folder[0] = '\0';
    scratch->lock = -1;
}
