/* engine.h - the state of the engine and the duties of its files.
 *
 * The engine is a Valgrind tool: one process, Valgrind's threads serialised. Everything here runs with Valgrind's big
 * lock held. No libc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_ENGINE_H
#define ASSAY_VNODE_ENGINE_ENGINE_H

#include "pub_tool_basics.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "pub_tool_xarray.h"

#include "decode.h"
#include "vnode/node_file.h"
#include "vnode/sim/sim.h"

/* How long a thread that sleeps in the kernel keeps its place. The second: somebody outside of the process, or a thread
 * that has been woken, is bound to come back. */
enum { PATIENCE_MS = 100, PATIENCE_OUTSIDE_MS = 10000 };

enum { ENGINE_THREADS_MAX = 500 }; /* Valgrind's own default for --max-threads */

/* Where pages go (policy.h). */
struct policy {
    UInt mode;
    UInt flags; /* as they were given, to be told again */
    ULong domains;
};

/* A repeated copy or fill under way. */
struct engine_string {
    Addr instruction; /* 0: none */
    Addr next;        /* where its next element is to be stored */
    ULong left;       /* elements after that one */
    UInt covered;     /* of its next elements, how many were part of the last group */
    Bool fast;
};

struct engine_thread {
    Bool alive;
    Bool runnable;       /* takes turns; not so while blocked in a system call */
    Bool in_kernel;      /* in a system call, blocking or not */
    UInt call;           /* its number; none that exists while the thread comes into being */
    UWord call_argument; /* its first one */
    UInt patience_ms;    /* how long the others wait for it to come back */
    Bool measuring;      /* what it starts belongs to LIKWID: see requests.h */
    Int lwp;             /* the host's number of it */
    ThreadId child;      /* the thread that it has created last */
    UInt core;
    ULong mask;
    struct policy policy; /* where its pages go */
    ULong time;           /* cycles: it may not run before its core's clock shows this */
    ULong blocked;        /* order in which threads have blocked */
    ULong last_turn;      /* number of its last turn: order among equal times */
    ULong cpu;            /* cycles that it has spent, up to the latest change of thread or core */
    Bool sleeping;        /* until `time`, or until a signal comes */
    ULong sleeps;         /* cycles, when it began to */
    Bool interrupted;     /* what has come before that time: a signal, or what timed.c waits for */
    UInt timed;           /* timed.c: number of the system call, 0: none; its arguments and result, 0: none yet */
    UWord timed_arguments[6];
    Long result;
    UInt told;             /* it is its turn, or should look whose it is: a futex of the host */
    Addr futex;            /* address it waits on, 0 none */
    Addr exit_futex;       /* address the kernel wakes when it has ended, 0 none */
    Addr child_exit_futex; /* that of the thread it is about to create */
    struct engine_string string;
    UChar upper; /* enum upper_state, while it does not run */
    /* files.c: the path that a system call was given instead of the program's, and what to set back */
    HChar *redirected; /* NULL: none yet */
    Addr path;         /* the program's own, 0: the call was left alone */
    Int path_register; /* its offset in the guest's state */
    UChar writes;      /* written.c: how the system call opens a file, 0: it does not */
};

struct engine {
    /* options */
    Long quantum;
    ULong initial_mask;
    const HChar *folder;         /* the node's; NULL: as the environment says */
    Bool beside;                 /* see vnode/node_file.h */
    Bool follows;                /* programs that the program executes are simulated as well */
    const HChar *initial_policy; /* MODE:DOMAINS, NULL: the default */
    /* the node */
    struct node_file *node;
    struct node_slot *slot;
    struct node_owner *owner; /* of that slot */
    struct sim *sim;
    UInt cores;
    UInt line_bits;
    /* the running thread; read by instrumented code */
    struct sim_core *core;
    uint64_t *totals;  /* of its core, in slot->live */
    Addr fetched_line; /* number of the line fetched last, all ones if none */
    Addr
        fetched_run; /* start of the run of instructions fetched last, 0 if none or lost: a loop is not fetched again */
    Long budget;     /* instructions left in this turn */
    Long settled_budget;              /* the same when the simulator was told last */
    ULong avx[4];                     /* 256-bit instructions, by enum avx_class, since then */
    ULong divider_uops;               /* since then */
    ULong updates;                    /* the same of CORE_UPDATES */
    ULong prefetches[PREFETCH_KINDS]; /* by kind, since then */
    ULong fp[FP_CLASSES];             /* floating-point arithmetic, by class, since then */
    UChar upper;                      /* enum upper_state */
    ThreadId running;
    /* turns */
    ThreadId turn; /* whose it is, VG_INVALID_THREADID: to be chosen */
    Bool pieces; /* the present turn is that of a thread alone, which now and then rests and looks at the node's time */
    Bool begun;  /* that thread has begun it: until then `running`, budget and clocks are those of the turn before */
    ULong turns;
    ULong blocks;
    ThreadId entering;    /* a thread on its way to sleep on a futex, VG_INVALID_THREADID: none */
    Addr leaving;         /* word that the kernel clears when the thread that has ended last is gone, 0: none */
    ULong quiet_turns;    /* of several threads, since lines were exchanged last */
    ULong exchanges;      /* sim_exchanges() when the present turn began */
    ThreadId last_thread; /* the highest in use so far */
    struct engine_thread thread[ENGINE_THREADS_MAX + 1];
    XArray *policies; /* of ranges of addresses, see policy.c */
    /* the host's processors that this process may use, and how many bytes of it count: 0 while it uses them */
    UChar host_mask[128];
    UWord host_mask_bytes;
    /* clocks: of the node when this process image began, and the host's when the node began */
    ULong start_ns, origin_monotonic_ns, origin_real_ns, start_cycles;
    ULong cpu;           /* cycles that the process has spent, up to the latest change of thread or core */
    Bool refused_filter; /* said so */
    /* VEX's own CPUID helper, behind the engine's */
    void *host_cpuid;
};

extern struct engine engine;

/* node.c - the node file and this process's slot in it. */
void node_fail(const HChar *what, const HChar *where, const HChar *remedy); /* ends the process with one line */
void node_open(void);         /* ends the process with one line on stderr if there is no usable node */
void node_close(void);        /* adds the slot to `ended` and frees it */
void node_forked(void);       /* in a forked child: a slot of its own */
void node_forked_apart(void); /* the same for a child that is not counted */
void node_publish(void);      /* live -> published */
/* Between these two calls the totals of `live` belong together; between rest and work other processes may read them. */
void node_work(void);
void node_rest(void);                /* waits for a reader that has asked */
ULong node_cpu_cycles(ThreadId tid); /* that a thread has spent; VG_INVALID_THREADID: the process */
void node_core_changed(void);        /* engine.core and engine.totals follow the running thread's core */

/* children.c - what programs that are executed run on. */
void children_start(void);
void children_before_exec(ThreadId tid, const HChar *path); /* decides; one that cannot be counted is named on stderr */

/* threads.c - whose turn it is. */
void threads_install(void);
void threads_block(ThreadId tid);                  /* enters a system call that may wait */
void threads_wake(ThreadId tid, ULong not_before); /* runnable again, not before that time in cycles */
/* The threads that wait on a futex, `most` of them at most, longest waiting first. */
void threads_wake_futex(Addr address, UInt most, ULong not_before);
void threads_yield(ThreadId tid); /* ends its turn; still runnable */
/* Lets the calling thread sleep for some cycles. False: a signal came. */
Bool threads_sleep(ThreadId tid, ULong cycles);
/* The thread of this process with that number, 0 being the calling one; VG_INVALID_THREADID if there is none. */
ThreadId threads_named(ThreadId self, Int lwp);
/* A system call that made a thread has told its number. */
void threads_child_named(ThreadId creator, Int lwp);
ULong threads_time(ThreadId tid); /* its clock in cycles, never going back */

/* affinity.c - which core a thread sits on. */
void affinity_place(ThreadId tid);           /* a thread without core yet */
Bool affinity_set(ThreadId tid, ULong mask); /* False: no core of the node in the mask */
ULong affinity_all(void);                    /* all cores of the node */

/* inherit.c - what is handed on to the program that the thread is about to execute. */
void inherit_hand_on(ThreadId tid);
/* What this program was handed; text of an option. False: it makes no sense. */
Bool inherit_policy(const HChar *text, struct policy *out);

/* host.c - on which of the host's processors this process runs. */
void host_gather(void); /* the calling thread, and those that it creates, stay on its present processor */
void host_spread(void); /* the calling thread may use all again */

/* signals.c - whether a signal has come that the thread is to be interrupted for. */
Bool signals_await(ThreadId tid);

/* node_time.c - this process in the time of the node (vnode/clock_file.h). */
void node_time_start(void);
void node_time_end(void);
void node_time_forked(ThreadId tid, Bool counted);   /* in the child */
void node_time_await_child(Int pid);                 /* in the parent: until the child takes part */
void node_time_publish(ThreadId tid, Int in_kernel); /* the thread's time; its number on the host in a system call */
void node_time_wait(ThreadId tid);                   /* for something that others do */
void node_time_leave_kernel(ThreadId tid);
ULong node_time_reached(void);       /* cycles of this process to which others have come; 0: no farther than it */
ULong node_time_now(ThreadId tid);   /* cycles: the thread's time, or that to which others have come */
Bool node_time_is_shared(void);      /* other processes wait for this one, or it for them */
Bool node_time_allows(ThreadId tid); /* the thread may go on, or wake, at its time */
void node_time_nap(void);            /* a moment of the host's time, to be passed without the big lock */
void node_time_look_about(void);     /* whether those who hold this process are still there */

/* time.c - the virtual clock. */
void time_start(void);
ULong time_tsc(ThreadId tid);
ULong time_ns(ThreadId tid);
ULong time_cycles_of_ns(ULong ns);
ULong time_left(ThreadId tid, ULong ns); /* sleeps; the part that a signal has left of it */
/* After a system call of that number has succeeded: its answer becomes virtual time. */
void time_after(ThreadId tid, UInt number, const UWord *arguments);

/* helpers.c - tells the simulator of the instructions that the running thread has retired meanwhile. Done whenever the
 * program's code is left, so that all else may rely on it. */
void engine_settle(void);

/* cpuid.c - the processor's identity: puts it into the program's auxiliary vector. */
void cpuid_start(void);

/* texts.c - puts the texts of arguments and environment where their lengths move nothing. */
void texts_install(void);

/* files.c - the paths that the node keeps for itself (vnode/node_path.h), and the amount of memory. */
void files_before(ThreadId tid, UWord number, const UWord *arguments);          /* before a system call */
void files_after(ThreadId tid, UInt number, const UWord *arguments, Bool done); /* after a system call */

/* written.c - which files the program makes or opens for writing. */
void written_before(ThreadId tid, UWord number, const UWord *arguments); /* before a system call */
void written_after(ThreadId tid, Int answer);                            /* after it has succeeded */
/* code.c - which code is compared with memory before it runs. */
void code_mapped(const UWord *arguments); /* after a successful mmap() */

/* syscalls.c, requests.c, instrument.c */
void syscalls_install(void);
void requests_install(void);
IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
                 const VexArchInfo *host, IRType guest_word, IRType host_word);

#endif
