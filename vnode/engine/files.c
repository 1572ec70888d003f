/* files.c - the paths that the node keeps for itself (vnode/node_path.h), and the amount of memory.
 *
 * A system call that names such a path is given the path of the node's file instead: the register is changed before the
 * call and set back behind it, so that the C library's own reading, system calls without a library and static programs
 * see the node alike. The program's text stays as it is.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "helpers.h"
#include "vnode/node_path.h"

/* A path's register in the guest's state. */
enum { FIRST = offsetof(VexGuestAMD64State, guest_RDI), SECOND = offsetof(VexGuestAMD64State, guest_RSI) };

enum { OPENAT2 = 437, FACCESSAT2 = 439 }; /* not in every version's headers */

/* 0: the call names no path that is looked up here. Calls with the path in the second register have the folder that it
 * is seen from in the first. */
static Int path_register(UWord number) {
    switch (number) {
    case __NR_open:
    case __NR_stat:
    case __NR_lstat:
    case __NR_access:
    case __NR_readlink:
    case __NR_statfs:
        return FIRST;
    case __NR_openat:
    case __NR_newfstatat:
    case __NR_statx:
    case __NR_faccessat:
    case __NR_readlinkat:
    case OPENAT2:
    case FACCESSAT2:
        return SECOND;
    default:
        return 0;
    }
}

/* Whether the program's text at `path` can be read up to its end, which is not far. */
static Bool is_readable(const HChar *path) {
    for (SizeT i = 0; i < NODE_PATH_MAX; i++) {
        if ((i == 0 || ((Addr)path + i) % VKI_PAGE_SIZE == 0) &&
            !VG_(am_is_valid_for_client)((Addr)path + i, 1, VKI_PROT_READ))
            return False;
        if (path[i] == '\0')
            return True;
    }
    return False;
}

/* The folder that a relative path is seen from, as an absolute path. */
static Bool base_of(Int folder, HChar *out) {
    HChar link[64];
    if (folder == VKI_AT_FDCWD)
        VG_(strcpy)(link, "/proc/self/cwd");
    else
        VG_(sprintf)(link, "/proc/self/fd/%d", folder);
    SSizeT length = VG_(readlink)(link, out, NODE_PATH_MAX - 1);
    if (length <= 0 || length >= NODE_PATH_MAX - 1)
        return False;
    out[length] = '\0';
    return out[0] == '/';
}

/* The text must stay until the kernel has read it, while other threads may run: each thread has its own. */
static HChar *text_of(struct engine_thread *thread) {
    if (!thread->redirected)
        thread->redirected = VG_(malloc)("assay.path", NODE_PATH_MAX);
    return thread->redirected;
}

void engine_redirect(VexGuestAMD64State *guest) {
    struct engine_thread *thread = &engine.thread[engine.running];
    Int where = path_register(guest->guest_RAX);
    if (where == 0)
        return;
    ULong *path = where == FIRST ? &guest->guest_RDI : &guest->guest_RSI;
    const HChar *text = (const HChar *)*path;
    if (!is_readable(text) || !node_path_may_be(text))
        return;
    HChar base[NODE_PATH_MAX];
    base[0] = '\0';
    if (text[0] != '/' && !base_of(where == FIRST ? VKI_AT_FDCWD : (Int)guest->guest_RDI, base))
        return;
    if (!node_path_redirect(engine.folder, base, text, text_of(thread)))
        return;
    thread->path = *path;
    thread->path_register = where;
    *path = (ULong)thread->redirected;
}

static void show_memory(struct vki_sysinfo *info) {
    info->totalram = info->freeram = engine.node->memory_bytes * engine.node->config.sockets;
    info->sharedram = info->bufferram = info->totalswap = info->freeswap = 0;
    info->totalhigh = info->freehigh = 0;
    info->mem_unit = 1;
}

void files_after(ThreadId tid, UInt number, const UWord *arguments, Bool done) {
    struct engine_thread *thread = &engine.thread[tid];
    if (thread->path) {
        VG_(set_shadow_regs_area)(tid, 0, thread->path_register, sizeof thread->path, (const UChar *)&thread->path);
        thread->path = 0;
    }
    if (done && number == __NR_sysinfo)
        show_memory((struct vki_sysinfo *)arguments[0]);
}
