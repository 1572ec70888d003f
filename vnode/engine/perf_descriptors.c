/* perf_descriptors.c - descriptors of perf events: each event has a pipe with a name in the node's folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "perf.h"

enum { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2, LOCK_AT_ONCE = 4 };

void perf_path(UInt index, const HChar *prefix, HChar *path) {
    VG_(sprintf)(path, "%s/%s.%llu", engine.folder, prefix, (ULong)perf_file()->event[index].id);
}

static SysRes call(UWord number, UWord one, UWord two) {
    return VG_(do_syscall)(number, one, two, 0, 0, 0, 0, 0, 0);
}

UInt perf_of(Int fd) {
    struct vg_stat status;
    const struct perf_file *file = engine.node->perf ? perf_file() : NULL;
    if (!file || VG_(fstat)(fd, &status) != 0 || !VKI_S_ISFIFO(status.mode) || status.dev != file->device)
        return PERF_NONE;
    for (UInt i = 0; i < PERF_EVENTS; i++)
        if (file->inode[i] == status.ino && file->event[i].used)
            return i;
    return PERF_NONE;
}

UInt perf_take(void) {
    struct perf_file *file = perf_file();
    for (UInt tries = 0; tries < 2; tries++) {
        for (UInt i = 0; i < PERF_EVENTS; i++) {
            uint32_t nobody = 0;
            if (__atomic_compare_exchange_n(&file->event[i].used, &nobody, 1, False, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED)) {
                VG_(memset)((HChar *)&file->event[i] + sizeof nobody, 0, sizeof file->event[i] - sizeof nobody);
                file->event[i].id = __atomic_add_fetch(&file->ids, 1, __ATOMIC_RELAXED);
                return i;
            }
        }
        for (UInt i = 0; i < PERF_EVENTS; i++) /* some of them may be of processes that have ended */
            perf_closed(i);
    }
    return PERF_NONE;
}

Int perf_descriptor(UInt index, Bool close_on_exec) {
    HChar path[VG_(strlen)(engine.folder) + PERF_PATH_BYTES];
    struct vg_stat status;
    perf_path(index, PERF_PIPE, path);
    if (sr_isError(VG_(do_syscall)(__NR_mknod, (UWord)path, VKI_S_IFIFO | 0600, 0, 0, 0, 0, 0, 0)))
        return -VKI_ENOSPC;
    SysRes opened = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK | (close_on_exec ? PERF_CLOSE_ON_EXEC : 0), 0);
    if (!sr_isError(opened)) {
        Int fd = (Int)sr_Res(opened);
        if (!sr_isError(call(__NR_flock, (UWord)fd, LOCK_SHARED)) && VG_(fstat)(fd, &status) == 0) {
            perf_file()->device = status.dev;
            perf_file()->inode[index] = status.ino;
            perf_file()->event[index].process = VG_(getpid)();
            return perf_file()->event[index].descriptor = fd;
        }
        VG_(close)(fd);
    }
    VG_(unlink)(path);
    return sr_isError(opened) ? -(Int)sr_Err(opened) : -VKI_ENOSPC;
}

void perf_closed(UInt index) {
    struct perf_file *file = perf_file();
    HChar path[VG_(strlen)(engine.folder) + PERF_PATH_BYTES];
    perf_path(index, PERF_PIPE, path);
    SysRes opened = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);
    if (sr_isError(opened))
        return; /* about to be made */
    Bool is_free = !sr_isError(call(__NR_flock, sr_Res(opened), LOCK_EXCLUSIVE | LOCK_AT_ONCE));
    VG_(close)((Int)sr_Res(opened));
    if (!is_free)
        return;
    VG_(unlink)(path);
    perf_path(index, PERF_RING, path);
    VG_(unlink)(path);
    for (UInt i = 0; i < PERF_EVENTS; i++) /* members of its group go on by themselves */
        if (i != index && file->event[i].used && file->event[i].leader == index)
            file->event[i].leader = i;
    file->inode[index] = 0;
    __atomic_add_fetch(&file->changes, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&file->event[index].used, 0, __ATOMIC_RELEASE);
}
