/* room.h - files that will be mapped.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ROOM_H
#define ASSAY_VNODE_ROOM_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Makes a file `size` bytes long, of zeros where nothing was written, and takes the room for the first `taken` of them
 * where the file system can. 0, or -1 and errno. */
static inline int room_take(int file, off_t size, off_t taken) {
    if (ftruncate(file, size) != 0)
        return -1;
    return fallocate(file, 0, 0, taken) == 0 || errno == EOPNOTSUPP ? 0 : -1;
}

#endif
