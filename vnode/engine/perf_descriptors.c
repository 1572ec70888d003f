/* perf_descriptors.c - descriptors of perf events: each event has a file in the node's folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "perf.h"

enum { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2, LOCK_AT_ONCE = 4 };
enum { CLOSE_ON_EXEC = 02000000 }; /* O_CLOEXEC, which Valgrind's headers lack */
enum { PATH_BYTES = 32 };          /* behind the folder's */

static void write_path(UInt index, HChar *path) {
    VG_(sprintf)(path, "%s/perf-event.%llu", engine.folder, (ULong)perf_file()->event[index].id);
}

static SysRes call(UWord number, UWord one, UWord two) {
    return VG_(do_syscall)(number, one, two, 0, 0, 0, 0, 0, 0);
}

/* The size gives the index. */
UInt perf_of(Int fd) {
    struct vg_stat status;
    if (!engine.node->perf || !perf_file() || VG_(fstat)(fd, &status) != 0)
        return PERF_NONE;
    UInt index = (UInt)(status.size / VKI_PAGE_SIZE - 1);
    const struct perf_event *event = index < PERF_EVENTS ? &perf_file()->event[index] : NULL;
    return event && event->used && event->inode == status.ino && event->device == status.dev ? index : PERF_NONE;
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
    struct perf_event *event = &perf_file()->event[index];
    HChar path[VG_(strlen)(engine.folder) + PATH_BYTES];
    struct vg_stat status;
    write_path(index, path);
    SysRes opened = VG_(open)(path, VKI_O_RDWR | VKI_O_CREAT | VKI_O_EXCL | (close_on_exec ? CLOSE_ON_EXEC : 0), 0600);
    if (sr_isError(opened))
        return -(Int)sr_Err(opened);
    UWord fd = sr_Res(opened);
    if (!sr_isError(call(__NR_ftruncate, fd, (index + 1) * VKI_PAGE_SIZE)) &&
        !sr_isError(call(__NR_flock, fd, LOCK_SHARED)) && VG_(fstat)((Int)fd, &status) == 0) {
        event->device = status.dev;
        event->inode = status.ino;
        return (Int)fd;
    }
    VG_(close)((Int)fd);
    VG_(unlink)(path);
    return -VKI_ENOSPC;
}

void perf_closed(UInt index) {
    struct perf_file *file = perf_file();
    HChar path[VG_(strlen)(engine.folder) + PATH_BYTES];
    write_path(index, path);
    SysRes opened = VG_(open)(path, VKI_O_RDWR, 0);
    if (sr_isError(opened))
        return; /* about to be made */
    Bool is_free = !sr_isError(call(__NR_flock, sr_Res(opened), LOCK_EXCLUSIVE | LOCK_AT_ONCE));
    VG_(close)((Int)sr_Res(opened));
    if (!is_free)
        return;
    VG_(unlink)(path);
    for (UInt i = 0; i < PERF_EVENTS; i++) /* members of its group go on by themselves */
        if (i != index && file->event[i].used && file->event[i].leader == index)
            file->event[i].leader = i;
    __atomic_add_fetch(&file->changes, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&file->event[index].used, 0, __ATOMIC_RELEASE);
}
