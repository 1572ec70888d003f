/* main.c - the Valgrind tool `assay`: options and life cycle of a process on the virtual node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

#include "core_api.h"
#include "engine.h"
#include "perf.h"
#include "policy.h"
#include "sampling.h"
#include "timers.h"

/* A thread switch takes a few microseconds of real time, like some hundred instructions. At 1000 instructions, two
 * threads that contend for a line meet thousands of times in a million increments. */
enum { DEFAULT_QUANTUM = 1000, QUANTUM_MIN = 1, QUANTUM_MAX = 1000000000, SLOW = 2 };

enum { FAIR_WHERE_POSSIBLE = 2, LAX_IOCTLS = 1 };

struct engine engine;

/* A set of up to 64 cores, which signed options cannot hold. */
static Bool read_mask(const HChar *text, ULong *mask) {
    HChar *end;
    *mask = VG_(strtoull16)(text, &end);
    return end != text && *end == '\0' && *mask != 0;
}

static Bool process_option(const HChar *argument) {
    const HChar *mask;
    if (VG_BINT_CLO(argument, "--quantum", engine.quantum, QUANTUM_MIN, QUANTUM_MAX)) {
    } else if (VG_STR_CLO(argument, "--affinity", mask)) {
        return read_mask(mask, &engine.initial_mask);
    } else if (VG_STR_CLO(argument, "--node", engine.folder)) {
    } else if (VG_BOOL_CLO(argument, "--beside", engine.beside)) {
    } else if (VG_BOOL_CLO(argument, "--traced", engine.traced)) {
    } else if (VG_STR_CLO(argument, "--policy", engine.initial_policy)) {
    } else if (VG_STR_CLO(argument, "--events", engine.initial_events)) {
    } else if (VG_STR_CLO(argument, "--timers", engine.initial_timers)) {
    } else {
        return False;
    }
    return True;
}

static void print_usage(void) {
    VG_(printf)
    ("    --quantum=N       instructions of one thread's turn while threads share lines [%d]\n"
     "    --affinity=0xMASK cores the program may use [all]\n"
     "    --node=FOLDER     the virtual node [$ASSAY_NODE_DIR]\n"
     "    --beside=yes|no   not part of what LIKWID measures, if it measures a program [no]\n"
     "    --traced=yes|no   SIGTRAP is blocked to hide the engine's start from a tracer [no]\n"
     "    --policy=0xMODE:0xDOMAINS where its memory lies, as Linux numbers policies [0:0]\n"
     "    --events=INDEX:ID,... perf events that count it [none]\n"
     "    --timers=NS:NS,... its interval timers: left, and interval [none]\n",
     DEFAULT_QUANTUM);
}

static void print_debug_usage(void) {
    VG_(printf)("    (none)\n");
}

/* ASSAY_TURN: --quantum for a run of `assay diagnose`. Instructions that this run does not execute come from waits that
 * spin. Its clocks are slow, so that a program that works until some time executes more instead. */
static void read_turn(void) {
    const HChar *text = VG_(getenv)("ASSAY_TURN");
    Long turn = text ? VG_(strtoll10)(text, NULL) : 0;
    if (turn >= QUANTUM_MIN && turn <= QUANTUM_MAX) {
        engine.quantum = turn;
        engine.slowness = SLOW;
    }
}

static void post_clo_init(void) {
    read_turn();
    node_open();
    sampling_start();
    children_start();
    policy_start();
    time_start();
    if (engine.initial_timers)
        timers_inherit(engine.initial_timers);
    cpuid_start();
}

static void child_after_fork(ThreadId tid) {
    for (ThreadId other = 1; other <= engine.last_thread; other++)
        if (other != tid)
            engine.thread[other].alive = engine.thread[other].runnable = False;
    engine.thread[tid].lwp = VG_(getpid)();
    engine.turn = engine.running = tid;
    engine.begun = True;
    engine.entering = VG_INVALID_THREADID;
    engine.leaving = 0;
    host_spread();
    stored_forked();
    perf_forked(tid);
    sampling_forked(!engine.thread[tid].measuring);
    if (engine.thread[tid].measuring)
        node_forked_apart();
    else
        node_forked();
    engine.cpu = engine.thread[tid].cpu = 0;
    node_time_forked(tid, !engine.thread[tid].measuring);
    timers_forked();
}

static void fini(Int status) {
    (void)status;
    sampling_write();
    node_close();
    stored_write();
    node_time_end(); /* last: until then nobody's time jumps, as to the end of a wait for what this process closes */
}

static void pre_clo_init(void) {
    tables_start();
    engine.quantum = DEFAULT_QUANTUM;
    engine.slowness = 1;
    engine.host_fuses = operations_host_fuses();
    engine.initial_mask = ~0ULL;
    VG_(details_name)("assay");
    VG_(details_version)(NULL);
    VG_(details_description)("the processor of Assay's virtual node");
    VG_(details_copyright_author)("Free software under GPL-3.0-or-later.");
    VG_(details_bug_reports_to)("the keepers of Assay");
    VG_(details_avg_translation_sizeB)(500);
    VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
    VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
    /* Every instruction must be visible at its address, and every load must stay even if its value is unused:
     * registers are updated at each instruction. */
    VG_(clo_vex_control).guest_chase = False;
    VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
    VG_(clo_px_file_backed) = VexRegUpdAllregsAtEachInsn;
    VG_(clo_fair_sched) = FAIR_WHERE_POSSIBLE; /* a turn is handed over directly, without competition for the lock */
    VG_(clo_sim_hints) |= LAX_IOCTLS;          /* the memory effects of ioctls are not needed */
    VG_(clo_sigill_diag) = False;              /* LIKWID probes for rdpmc */
    threads_install();
    syscalls_install();
    requests_install();
    policy_install();
    texts_install();
    VG_(atfork)(NULL, NULL, child_after_fork);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
