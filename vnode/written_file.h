/* written_file.h - which files the processes of a node have made or opened for writing: WRITTEN_FILE_NAME in the node's
 * folder, a line for each. The engine appends to it; the host reads it between runs, as the proof that a file is a
 * run's own.
 *
 *     m MAJOR:MINOR:INODE:SECONDS.NANOSECONDS     made: there was none of its name before
 *     w ...                                       it was there, and was opened for writing
 *
 * The device, the inode and the time of its birth (0 where the file system knows none) tell a file from a later one
 * with the same inode.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_WRITTEN_FILE_H
#define ASSAY_VNODE_WRITTEN_FILE_H

#define WRITTEN_FILE_NAME "written"

/* The file as it is written there, of a struct statx; for any printf(). */
#define WRITTEN_FORMAT "%u:%u:%llu:%lld.%u"
#define WRITTEN_ARGUMENTS(x)                                                                                           \
    (unsigned)(x).stx_dev_major, (unsigned)(x).stx_dev_minor, (unsigned long long)(x).stx_ino,                         \
        (long long)(x).stx_btime.tv_sec, (unsigned)(x).stx_btime.tv_nsec

enum { WRITTEN_TEXT = 96 }; /* bytes of a line */

#endif
