/* room.h - files that will be mapped.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ROOM_H
#define ASSAY_VNODE_ROOM_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Makes a file `size` bytes long, of zeros where nothing was written, and takes the room for them where the file system
 * can. 0, or -1 and errno. */
static inline int room_take(int file, off_t size) {
    if (fallocate(file, 0, 0, size) == 0)
        return 0;
    return errno == EOPNOTSUPP ? ftruncate(file, size) : -1;
}

#endif
