/* room.h - allocates files that will be mapped.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ROOM_H
#define ASSAY_VNODE_ROOM_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Sets the file's size to `size`, zeros where nothing was written, and allocates the first `taken` bytes if the file
 * system can. 0, or -1 and errno. */
static inline int room_take(int file, off_t size, off_t taken) {
    if (ftruncate(file, size) != 0)
        return -1;
    return fallocate(file, 0, 0, taken) == 0 || errno == EOPNOTSUPP ? 0 : -1;
}

#endif
