/* written_file.h - WRITTEN_FILE_NAME in the node's folder: one line for each file that processes of the node have
 * created or opened for writing. The engine appends to it; the host program reads it between runs, as proof that a
 * file belongs to a run.
 *
 *     m MAJOR:MINOR:INODE:SECONDS.NANOSECONDS     created: the name did not exist before
 *     w ...                                       existed, and was opened for writing
 *
 * Device, inode and birth time (0 if the file system has none) distinguish a file from a later one with the same
 * inode.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_WRITTEN_FILE_H
#define ASSAY_VNODE_WRITTEN_FILE_H

#define WRITTEN_FILE_NAME "written"

/* printf() format and arguments for a file, from its struct statx. */
#define WRITTEN_FORMAT "%u:%u:%llu:%lld.%u"
#define WRITTEN_ARGUMENTS(x)                                                                                           \
    (unsigned)(x).stx_dev_major, (unsigned)(x).stx_dev_minor, (unsigned long long)(x).stx_ino,                         \
        (long long)(x).stx_btime.tv_sec, (unsigned)(x).stx_btime.tv_nsec

enum { WRITTEN_TEXT = 96 }; /* bytes of a line */

#endif
