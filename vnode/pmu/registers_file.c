/* registers_file.c - the registers of a client process, shared by the daemons of its threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "registers_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vnode/room.h"

int registers_open(const char *folder, pid_t client, struct registers_file *out) {
    char path[4200];
    snprintf(path, sizeof path, "%s/registers.%d", folder, (int)client);
    out->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out->fd < 0)
        return -1;
    /* every living daemon holds a shared lock: an exclusive lock succeeds only for the first one, which clears the
     * file */
    if (flock(out->fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(out->fd, 0) != 0)
        return -1;
    if (room_take(out->fd, sizeof *out->state, sizeof *out->state) != 0 || flock(out->fd, LOCK_SH) != 0)
        return -1;
    out->state = mmap(NULL, sizeof *out->state, PROT_READ | PROT_WRITE, MAP_SHARED, out->fd, 0);
    return out->state == MAP_FAILED ? -1 : 0;
}

static void set_lock(const struct registers_file *file, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    while (fcntl(file->fd, F_OFD_SETLKW, &lock) != 0 && errno == EINTR) {
    }
}

void registers_lock(const struct registers_file *file) {
    set_lock(file, F_WRLCK);
}

void registers_unlock(const struct registers_file *file) {
    set_lock(file, F_UNLCK);
}
