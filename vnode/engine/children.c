/* children.c - which programs started by a simulated process run under the engine, and which natively
 * (docs/design.md, "Which processes are counted").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/command.h"
#include "vnode/program.h"

enum { SET_USER_ID = 04000, SET_GROUP_ID = 02000 };

static long read_start(const char *path, unsigned char *out, unsigned size) {
    Int fd = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    Int length = VG_(read)(fd, out, (Int)size);
    VG_(close)(fd);
    return length;
}

static int privileged(const char *path) {
    struct vg_stat status;
    HChar capabilities[64];
    if (sr_isError(VG_(stat)(path, &status)))
        return 0;
    return (status.mode & (SET_USER_ID | SET_GROUP_ID)) != 0 ||
           !sr_isError(VG_(do_syscall)(__NR_getxattr, (UWord)path, (UWord) "security.capability", (UWord)capabilities,
                                       sizeof capabilities, 0, 0, 0, 0));
}

static int exists(const char *path) {
    struct vg_stat status;
    return !sr_isError(VG_(stat)(path, &status));
}

/* The start of the engine is an execve(), which a tracer must not see: vnode/shim/engine_start.c has blocked its
 * SIGTRAP. Only some tracers cause one (ptrace(2): PTRACE_O_TRACEEXEC, PTRACE_SEIZE). */
static void discard_trap(void) {
    const vki_sigset_t trap = {{1ULL << (VKI_SIGTRAP - 1)}};
    const struct vki_timespec at_once = {0, 0};
    VG_(do_syscall)(__NR_rt_sigtimedwait, (UWord)&trap, 0, (UWord)&at_once, sizeof trap, 0, 0, 0, 0);
    VG_(sigprocmask)(VKI_SIG_UNBLOCK, &trap, NULL);
}

void children_traced(ThreadId tid) {
    enum { ROOM = 256 << 10 };
    Addr lowest = VG_(get_SP)(tid) - ROOM;
    const NSegment *segment = VG_(am_find_nsegment)(lowest);
    if (segment && segment->kind == SkResvn)
        VG_(extend_stack)(tid, lowest);
}

void children_begin(ThreadId tid) {
    if (engine.traced)
        children_traced(tid);
    engine.traced = False;
}

void children_start(void) {
    engine.follows = VG_(clo_trace_children);
    if (engine.traced)
        discard_trap();
}

void children_before_exec(ThreadId tid, const HChar *path) {
    static const struct program_files files = {read_start, privileged, exists};
    const HChar *tools = VG_(getenv)(NODE_TOOLS_VARIABLE);
    VG_(clo_trace_children) = False;
    if (!engine.follows || engine.thread[tid].measuring)
        return;
    enum program_kind kind = program_kind(path, tools ? tools : "", &files);
    if (kind == PROGRAM_PRIVILEGED)
        VG_(printf)("assay: %s: not counted: %s\n", path, program_obstacle(kind));
    /* Valgrind cannot undo an exec() of an unknown file type, so the engine's start tries those */
    VG_(clo_trace_children) = kind != PROGRAM_PRIVILEGED && kind != PROGRAM_LIKWID;
}
