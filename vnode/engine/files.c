/* files.c - paths that the node redirects (vnode/node_path.h), and the amount of memory.
 *
 * A system call with such a path gets the path of the node's file: the register is changed before the call and
 * restored after it. So the C library, calls without a library and static programs see the same node. The program's
 * string is not changed. A read of /proc/self/status gets a copy with the node's cores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/node_path.h"

/* Registers of paths in the guest state. */
enum { FIRST = offsetof(VexGuestAMD64State, guest_RDI), SECOND = offsetof(VexGuestAMD64State, guest_RSI) };

enum { OPENAT2 = 437, FACCESSAT2 = 439 }; /* not in the headers of all versions */

/* 0: the call has no path to redirect. Calls with the path in the second register have its base folder in the first. */
static Int path_register(UWord number) {
    switch (number) {
    case __NR_execve:
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

/* Whether the program's string at `path` is readable up to its end, within the maximum length. */
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

/* The base folder of a relative path, as an absolute path. */
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

/* The redirected path must stay valid until the kernel has read it, while other threads may run: one buffer per
 * thread. */
static HChar *text_of(struct engine_thread *thread) {
    if (!thread->redirected)
        thread->redirected = VG_(malloc)("assay.path", NODE_PATH_MAX);
    return thread->redirected;
}

/* ---- /proc/self/status ---- */

static Bool is_status(const HChar *path) {
    HChar own[64];
    VG_(sprintf)(own, "/proc/%d/status", VG_(getpid)());
    return VG_(strcmp)(path, "/proc/self/status") == 0 || VG_(strcmp)(path, "/proc/thread-self/status") == 0 ||
           VG_(strcmp)(path, own) == 0;
}

static void write_text(Int fd, const HChar *text, SizeT length) {
    VG_(write)(fd, text, (Int)length);
}

/* Writes a line "NAME_list:\t0-3,7" or "NAME:\t8f" as the kernel does. */
static void write_set(Int fd, const HChar *name, ULong set) {
    HChar text[512];
    UInt length = VG_(sprintf)(text, "%s:\t", name);
    if (set >> 32) /* Linux separates 32-bit words */
        length += VG_(sprintf)(text + length, "%llx,%08llx", set >> 32, set & 0xffffffff);
    else
        length += VG_(sprintf)(text + length, "%llx", set);
    length += VG_(sprintf)(text + length, "\n%s_list:\t", name);
    const HChar *comma = "";
    for (UInt first = 0; first < 64; first++) {
        if (!(set >> first & 1))
            continue;
        UInt last = first;
        while (last + 1 < 64 && (set >> (last + 1) & 1))
            last++;
        length += VG_(sprintf)(text + length, last > first ? "%s%u-%u" : "%s%u", comma, first, last);
        first = last;
        comma = ",";
    }
    text[length++] = '\n';
    write_text(fd, text, length);
}

/* Writes the kernel's text with the node's cores and memories. */
static void write_status(Int fd, const HChar *text, ULong cores) {
    while (*text) {
        const HChar *end = VG_(strchr)(text, '\n');
        SizeT length = end ? (SizeT)(end - text) + 1 : VG_(strlen)(text);
        if (VG_(strncmp)(text, "Cpus_allowed:", 13) == 0)
            write_set(fd, "Cpus_allowed", cores);
        else if (VG_(strncmp)(text, "Mems_allowed:", 13) == 0)
            write_set(fd, "Mems_allowed", (1ULL << sim_memories(&engine.node->config)) - 1);
        else if (VG_(strncmp)(text, "Cpus_allowed_list:", 18) != 0 && VG_(strncmp)(text, "Mems_allowed_list:", 18) != 0)
            write_text(fd, text, length);
        text += length;
    }
}

/* Writes the thread's status to the node's folder, and returns its path. */
static Bool copy_status(ThreadId tid, HChar *path) {
    enum { STATUS_MAX = 8192 };
    HChar text[STATUS_MAX];
    Int from = VG_(fd_open)("/proc/thread-self/status", VKI_O_RDONLY, 0);
    if (from < 0)
        return False;
    Int length = VG_(read)(from, text, STATUS_MAX - 1);
    VG_(close)(from);
    VG_(snprintf)(path, NODE_PATH_MAX, "%s/status.%d.%u", engine.folder, VG_(getpid)(), tid);
    Int to = length < 0 ? -1 : VG_(fd_open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0600);
    if (to < 0)
        return False;
    text[length] = '\0';
    write_status(to, text, engine.thread[tid].mask);
    VG_(close)(to);
    return True;
}

/* ---- /proc/self/exe, which is the engine for the kernel ---- */

static Bool is_own_program(const HChar *path) {
    HChar own[64];
    VG_(sprintf)(own, "/proc/%d/exe", VG_(getpid)());
    return VG_(strcmp)(path, "/proc/self/exe") == 0 || VG_(strcmp)(path, own) == 0;
}

static Bool copy_own_program(HChar *path) {
    HChar link[64];
    VG_(sprintf)(link, "/proc/self/fd/%d", VG_(cl_exec_fd));
    SSizeT length = VG_(readlink)(link, path, NODE_PATH_MAX - 1);
    if (length <= 0 || length >= NODE_PATH_MAX - 1)
        return False;
    path[length] = '\0';
    return True;
}

/* ---- before and after a system call ---- */

/* A copy of the path in the program's own memory, where execve() must find it: below its stack, which a new program
 * does not need. NULL: not possible. */
static const HChar *below_stack(ThreadId tid, const HChar *path) {
    enum { RED_ZONE = 128 };
    SizeT bytes = VG_(strlen)(path) + 1;
    HChar *copy = (HChar *)(VG_(get_SP)(tid) - RED_ZONE - bytes);
    if (!VG_(am_is_valid_for_client)((Addr)copy, bytes, VKI_PROT_WRITE))
        return NULL;
    VG_(memcpy)(copy, path, bytes);
    return copy;
}

/* The node's path for `text`, in the thread's buffer. NULL: not redirected. */
static const HChar *redirection(ThreadId tid, UWord number, const HChar *text, Int folder) {
    HChar base[NODE_PATH_MAX], *answer = text_of(&engine.thread[tid]);
    base[0] = '\0';
    if (text[0] != '/' && !base_of(folder, base))
        return NULL;
    if (number == __NR_execve)
        return is_own_program(text) && copy_own_program(answer) ? below_stack(tid, answer) : NULL;
    if (is_status(text) && copy_status(tid, answer))
        return answer;
    return node_path_redirect(engine.folder, base, text, answer) ? answer : NULL;
}

static void set_register(ThreadId tid, Int where, Addr value) {
    VG_(set_shadow_regs_area)(tid, 0, where, sizeof value, (const UChar *)&value);
}

void files_before(ThreadId tid, UWord number, const UWord *arguments) {
    struct engine_thread *thread = &engine.thread[tid];
    Int where = path_register(number);
    if (where == 0)
        return;
    const HChar *text = (const HChar *)arguments[where == FIRST ? 0 : 1];
    if (!is_readable(text) || !node_path_may_be(text))
        return;
    const HChar *file = redirection(tid, number, text, where == FIRST ? VKI_AT_FDCWD : (Int)arguments[0]);
    if (!file)
        return;
    thread->path = (Addr)text;
    thread->path_register = where;
    set_register(tid, where, (Addr)file);
}

static void show_memory(struct vki_sysinfo *info) {
    info->totalram = info->freeram = engine.node->memory_bytes * sim_memories(&engine.node->config);
    info->sharedram = info->bufferram = info->totalswap = info->freeswap = 0;
    info->totalhigh = info->freehigh = 0;
    info->mem_unit = 1;
}

void files_after(ThreadId tid, UInt number, const UWord *arguments, Bool done) {
    struct engine_thread *thread = &engine.thread[tid];
    if (thread->path) {
        set_register(tid, thread->path_register, thread->path);
        thread->path = 0;
    }
    if (done && number == __NR_sysinfo)
        show_memory((struct vki_sysinfo *)arguments[0]);
}
