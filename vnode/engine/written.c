/* written.c - lists files that the program creates and files that it opens for writing (vnode/written_file.h).
 *
 * A file counts as created if its name did not exist before the call that opened it. Files created otherwise (mknod,
 * io_uring) are not listed: readers of the list take them for files of others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <linux/stat.h>

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "vnode/written_file.h"

enum {
    OPENAT2 = 437,
    NO_NAME = 020000000,
    AT_LINK_ITSELF = 0x100,
    AT_FD_ITSELF = 0x1000,
    TYPE = 0170000,
    REGULAR = 0100000
};

/* How a call opens a file; `path` 0: it opens none. */
struct opening {
    Int folder;
    Addr path;
    ULong flags;
};

static struct opening opening_of(UWord number, const UWord *arguments) {
    switch (number) {
    case __NR_open:
        return (struct opening){VKI_AT_FDCWD, arguments[0], arguments[1]};
    case __NR_creat:
        return (struct opening){VKI_AT_FDCWD, arguments[0], VKI_O_WRONLY | VKI_O_CREAT};
    case __NR_openat:
        return (struct opening){(Int)arguments[0], arguments[1], arguments[2]};
    case OPENAT2: /* flags are the first word of a structure */
        if (answer_readable(arguments[2], sizeof(ULong)))
            return (struct opening){(Int)arguments[0], arguments[1], *(const ULong *)arguments[2]};
        return (struct opening){0};
    default:
        return (struct opening){0};
    }
}

static Bool is_there(const struct opening *opening) {
    struct vki_stat status;
    SysRes found = VG_(do_syscall)(__NR_newfstatat, (UWord)opening->folder, opening->path, (UWord)&status,
                                   AT_LINK_ITSELF, 0, 0, 0, 0);
    return !sr_isError(found) || sr_Err(found) != VKI_ENOENT;
}

void written_before(ThreadId tid, UWord number, const UWord *arguments) {
    struct opening opening = opening_of(number, arguments);
    Bool writes = opening.path != 0 && (opening.flags & VKI_O_ACCMODE) != VKI_O_RDONLY;
    Bool makes = opening.path != 0 && (opening.flags & (VKI_O_CREAT | NO_NAME)) != 0;
    engine.thread[tid].writes = !writes && !makes                                             ? 0
                                : makes && ((opening.flags & NO_NAME) || !is_there(&opening)) ? 'm'
                                                                                              : 'w';
}

static void append(const HChar *line, SizeT length) {
    HChar path[VG_(strlen)(engine.folder) + sizeof WRITTEN_FILE_NAME + 1];
    VG_(sprintf)(path, "%s/" WRITTEN_FILE_NAME, engine.folder);
    Int to = VG_(fd_open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_APPEND, 0600);
    if (to < 0)
        return;
    VG_(write)(to, line, (Int)length);
    VG_(close)(to);
}

void written_after(ThreadId tid, Int fd) {
    static HChar last[WRITTEN_TEXT]; /* many programs reopen the same file */
    HChar line[WRITTEN_TEXT];
    struct statx status;
    UChar how = engine.thread[tid].writes;
    engine.thread[tid].writes = 0;
    if (how == 0 ||
        sr_isError(VG_(do_syscall)(__NR_statx, (UWord)fd, (UWord) "", AT_FD_ITSELF,
                                   STATX_BTIME | STATX_INO | STATX_TYPE, (UWord)&status, 0, 0, 0)) ||
        (status.stx_mode & TYPE) != REGULAR)
        return;
    UInt length = VG_(sprintf)(line, "%c " WRITTEN_FORMAT "\n", how, WRITTEN_ARGUMENTS(status));
    if (VG_(strcmp)(line, last) == 0)
        return;
    VG_(strcpy)(last, line);
    append(line, length);
}
