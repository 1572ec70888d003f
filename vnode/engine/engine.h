/* engine.h - the state of the engine and the tasks of its files.
 *
 * The engine is a Valgrind tool: one process, its threads serialised by Valgrind. All code here runs with Valgrind's
 * big lock held, unless it says otherwise. No libc.
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
#include "vnode/sim/trace.h"

/* How long a thread that sleeps in the kernel keeps its turn. OUTSIDE: if another process ends the sleep, or if the
 * thread was woken and is certain to return. */
enum { PATIENCE_MS = 100, PATIENCE_OUTSIDE_MS = 10000 };

enum { ENGINE_THREADS_MAX = 500 }; /* Valgrind's own default for --max-threads */

/* The trace: between two calls of engine_end_slice(), generated code adds at most so many words for each instruction of
 * a slice and of the block that ends it; more, or before an instruction retires, only after engine_make_room(). Helpers
 * add few, and empty it from TRACE_FULL words on, so that most of it is never touched. */
enum { SLICE = 1000, BLOCK_MAX = 200, TRACE_WORDS_OF_INSTRUCTION = 24 };
enum { TRACE_FULL = 4096, TRACE_WORDS = TRACE_FULL + (SLICE + BLOCK_MAX) * TRACE_WORDS_OF_INSTRUCTION };

/* A memory policy (policy.h). */
struct policy {
    UInt mode;
    UInt flags; /* as set, for get_mempolicy() */
    ULong domains;
};

/* A repeated copy or fill in progress. */
struct engine_string {
    Addr instruction; /* 0: none */
    Addr next;        /* address of the next element stored */
    ULong left;       /* elements after that one */
    UInt covered;     /* number of next elements already simulated with the last group */
    Bool fast;
};

struct engine_thread {
    Bool alive;
    Bool runnable;       /* takes turns; False while blocked in a system call */
    Bool in_kernel;      /* in a system call, blocking or not */
    UInt call;           /* its number; not a valid one while the thread is being created */
    UWord call_argument; /* its first argument */
    UInt patience_ms;    /* how long other threads wait for its return */
    Bool measuring;      /* processes it starts belong to LIKWID: requests.h */
    Int lwp;             /* thread id on the host */
    ThreadId child;      /* the thread that it created last */
    UInt core;
    ULong mask;
    struct policy policy; /* of its pages */
    ULong time;           /* cycles: it may not run before its core's clock reaches this */
    ULong blocked;        /* order of blocking */
    ULong last_turn;      /* number of its last turn: order among equal times */
    ULong cpu;            /* CPU cycles used up to the last change of thread or core */
    Bool sleeping;        /* until `time` or a signal */
    ULong sleeps;         /* length of the sleep in cycles */
    Bool interrupted;     /* wakes before `time`: a signal, or the event that timed.c waits for */
    Bool timed;           /* timed.c: waits in a system call; its number, arguments, and result, 0: none yet */
    UInt timed_call;
    UWord timed_arguments[6];
    Long result;
    Bool must_look;        /* signals.c: Valgrind looks for signals at the end of its turn */
    UInt unpolled;         /* signals.c: turns since Valgrind looked last */
    UInt told;             /* futex of the host: its turn came, or it should check whose turn it is */
    Addr futex;            /* address it waits on, 0 none */
    Addr exit_futex;       /* address the kernel wakes when it has ended, 0 none */
    Addr child_exit_futex; /* the exit_futex of the thread it is creating */
    struct engine_string string;
    UChar upper; /* enum upper_state, while it does not run */
    /* files.c: the path that replaces the program's in a system call, and what to restore */
    HChar *redirected; /* NULL: none yet */
    Addr path;         /* the program's own, 0: not replaced */
    Int path_register; /* its register's offset in the guest state */
    XArray *events;    /* perf_threads.c: perf events that count it, NULL: none */
    UChar writes;      /* written.c: how the system call opens a file, 0: it does not */
};

struct engine {
    /* options */
    Long quantum;
    UInt slowness; /* simulated time for a unit of the program's clocks */
    ULong initial_mask;
    const HChar *folder;         /* the node's; NULL: from the environment */
    Bool beside;                 /* see vnode/node_file.h */
    Bool traced;                 /* when it started; False from the program's first system call on */
    Bool follows;                /* executed programs are simulated too */
    const HChar *initial_policy; /* MODE:DOMAINS, NULL: the default */
    const HChar *initial_events; /* perf_threads.c; NULL: none */
    const HChar *initial_timers; /* timers.c; NULL: none */
    /* the host */
    Bool host_fuses; /* it has fused multiply-adds */
    /* the node */
    struct node_file *node;
    struct node_slot *slot;
    struct node_owner *owner; /* of that slot */
    struct sim *sim;
    UInt cores; /* hardware threads of the node: what the engine calls a core is Linux' CPU */
    /* The running thread; read by instrumented code. What each run of instructions needs is in one line of the host. */
    struct sim_core *core;
    uint64_t *totals;                 /* of its core, in slot->live */
    _Alignas(64) uint64_t *trace_end; /* what it executed lately: trace.c */
    Long budget;                      /* instructions left until engine_end_slice() ... */
    Long rest;                        /* ... and then in this turn */
    Long settled_budget;              /* `budget` at the last engine_settle() */
    ULong avx[4];                     /* 256-bit instructions since then, by enum avx_class */
    ULong divider_uops;               /* since then */
    ULong divisions, vectors;         /* of integers; SSE and AVX instructions; since then */
    ULong updates;                    /* CORE_UPDATES since then */
    ULong prefetches[PREFETCH_KINDS]; /* by kind, since then */
    ULong fp[FP_CLASSES];             /* floating-point arithmetic, by class, since then */
    UChar upper;                      /* enum upper_state */
    ThreadId running;
    /* turns */
    ThreadId turn; /* thread that has the turn, VG_INVALID_THREADID: not chosen yet */
    Bool pieces; /* the current turn is of a single runnable thread, which rests regularly and checks the node's time */
    Bool begun;  /* that thread has started it; before, `running`, budget and clocks belong to the previous turn */
    ULong turns;
    ULong blocks;
    ThreadId entering;    /* a thread that is about to sleep on a futex, VG_INVALID_THREADID: none */
    Addr leaving;         /* word that the kernel clears when the last ended thread is gone, 0: none */
    ULong quiet_turns;    /* turns of several threads since lines were exchanged last */
    ULong exchanges;      /* sim_exchanges() at the start of the current turn */
    ThreadId last_thread; /* highest thread id used so far */
    struct engine_thread thread[ENGINE_THREADS_MAX + 1];
    _Alignas(64) uint64_t trace[TRACE_WORDS + 1 /* its end */];
    /* the thread that has a CPU; VG_INVALID_THREADID: it has left */
    ThreadId occupant[SIM_CORES_MAX];
    XArray *policies;      /* of address ranges, see policy.c */
    UInt perf_changes;     /* number of perf events opened or closed when it looked last (perf_threads.c) */
    Bool perf_samples;     /* an event of this process is sampled ... */
    Bool perf_mapped;      /* rdpmc is permitted: this process has mapped an event */
    Bool perf_instruments; /* ... and code has calls of engine_overflow() ... */
    Long overflow_budget;  /* ... made when `budget` is not larger */
    /* host processors that this process may use; bytes of the mask, 0 while all are used */
    UChar host_mask[128];
    UWord host_mask_bytes;
    /* clocks: the node's at the start of this process image, the host's at the start of the node */
    ULong start_ns, origin_monotonic_ns, origin_real_ns, start_cycles;
    ULong cpu;           /* CPU cycles of the process up to the last change of thread or core */
    XArray *timers;      /* of struct timer (timers.h), NULL: none yet */
    UInt timers_running; /* number of those that will expire */
    Bool deliver; /* at the end of the system call Valgrind looks for signals, for one that ended it or of a timer */
    Bool refused_filter; /* already reported */
    /* VEX's CPUID helper, which the engine's replaces */
    void *host_cpuid;
    Bool not_stored; /* the translation that is being made must be made in each process (stored.c) */
};

extern struct engine engine;

/* node.c - the node file and this process's slot in it. */
void node_fail(const HChar *what, const HChar *where, const HChar *remedy); /* ends the process with a message */
void node_open(void); /* ends the process with a message if there is no usable node */
/* Maps a file of the node's folder, shared. `made`: to be written, too, and created or extended if it is shorter. NULL:
 * not possible, or shorter. */
void *node_share(const HChar *name, SizeT bytes, Bool made);
void node_close(void);        /* adds the slot to `ended` and frees it */
void node_forked(void);       /* in a forked child: takes a slot */
void node_forked_apart(void); /* for a child that is not counted */
void node_publish(void);      /* live -> published */
void node_hold(void);         /* no process of the node ends until node_release(), so its totals are complete */
void node_release(void);
/* Totals in `live` are inconsistent between node_work() and node_rest(); other processes read them between rest and
 * work. */
void node_work(void);
void node_rest(void);                /* waits for a reader that asked */
ULong node_cpu_cycles(ThreadId tid); /* CPU cycles of a thread; VG_INVALID_THREADID: of the process */
void node_core_changed(void);        /* sets engine.core and engine.totals for the running thread's core */

/* children.c - whether executed programs run under the engine or natively. */
void children_start(void);
void children_begin(ThreadId tid); /* the program's first system call */
/* The process is traced from now on. Its stack grows at once: Valgrind lets it grow by SIGSEGV, which a tracer sees. */
void children_traced(ThreadId tid);
void children_before_exec(ThreadId tid, const HChar *path); /* decides; reports a program that cannot be counted */

/* threads.c - the order of the threads' turns. */
void threads_install(void);
void threads_leave(ThreadId tid);                  /* it leaves its CPU: a context switch */
void threads_block(ThreadId tid);                  /* enters a system call that may wait */
void threads_wake(ThreadId tid, ULong not_before); /* runnable again, at `not_before` (cycles) or later */
/* Wakes at most `most` threads that wait on a futex, longest waiting first. */
void threads_wake_futex(Addr address, UInt most, ULong not_before);
void threads_yield(ThreadId tid); /* ends its turn; stays runnable */
void threads_pause(ThreadId tid); /* the same, and idles for the cycles of a turn */
/* Sleeps for some cycles. False: interrupted by a signal. */
Bool threads_sleep(ThreadId tid, ULong cycles);
void threads_interrupt(ThreadId tid, ULong now); /* ends its sleep, if it sleeps, at `now` (cycles) */
/* The thread with that host thread id (0: the calling one); VG_INVALID_THREADID: none. */
ThreadId threads_named(ThreadId self, Int lwp);
/* A system call created a thread and returned its host thread id. */
void threads_child_named(ThreadId creator, Int lwp);
ULong threads_time(ThreadId tid); /* its clock in cycles, monotonic; of one that sleeps: when it will wake */
ULong threads_reached(void);      /* what the thread has reached that ran last */

/* affinity.c - the threads' cores. */
void affinity_place(ThreadId tid);           /* chooses a core for a new thread */
Bool affinity_set(ThreadId tid, ULong mask); /* False: the mask has no core of the node */
ULong affinity_all(void);                    /* all cores of the node */

/* inherit.c - state passed to the program that the thread is about to execute. */
void inherit_hand_on(ThreadId tid);
/* Parses an option with the inherited policy. False: invalid. */
Bool inherit_policy(const HChar *text, struct policy *out);

/* tables.c: asks for large pages of the host for static tables. */
void tables_start(void);
/* After an mmap() of the program: copies the pages of a large data segment at once. */
void tables_mapped(const UWord *arguments, Addr start);

/* host.c - the host's processors and threads of this process. */
void host_gather(void);         /* pins the calling thread, and threads it creates, to its current processor */
void host_spread(void);         /* the calling thread may use all again */
void host_forget_threads(void); /* before a thread is created, and in a new process: stacks may be other threads' */

/* signals.c - whether a signal is pending, and whether it interrupts the thread. */
Bool signals_await(ThreadId tid);
Bool signals_pending(ULong set, Bool ignored_too); /* one of these is */
Bool signals_ignored(Int signal);
/* The same, or one is pending that only the mask of the call of timed.c admits. */
Bool signals_interrupt(ThreadId tid);
/* After signals_await(): whether its action lets calls go on (SA_RESTART). */
Bool signals_restart(ThreadId tid);
/* After a signal by this process, also of the engine: all threads look for it. */
void signals_sent(void);

/* node_time.c - this process in the node's time (vnode/clock_file.h). */
void node_time_start(void);
void node_time_end(void);
void node_time_forked(ThreadId tid, Bool counted);   /* in the child */
void node_time_await_child(Int pid);                 /* in the parent: waits until the child takes part */
void node_time_publish(ThreadId tid, Int in_kernel); /* its time; in_kernel: its host thread id */
void node_time_wait(ThreadId tid);                   /* waits for an event from others */
void node_time_leave_kernel(ThreadId tid);
ULong node_time_reached(void);        /* the others' time in cycles of this process; 0: not ahead of it */
ULong node_time_now(ThreadId tid);    /* cycles: the thread's time or the others', whichever is later */
Bool node_time_is_shared(void);       /* processes wait for this one, or it waits for them */
Bool node_time_allows(ThreadId tid);  /* the thread may run on, or wake, at its time */
void node_time_goes_on(ThreadId tid); /* it does */
void node_time_nap(void);             /* a short sleep in host time; call without the big lock */
void node_time_look_about(void);      /* checks that the processes that hold this one still exist */

/* time.c - the virtual clock. */
#define FOR_EVER (~(ULong)0) /* a duration in ns */
void time_start(void);
ULong time_tsc(ThreadId tid);
ULong time_ns(ThreadId tid);
ULong time_of_clock(ThreadId tid, Int clock); /* ns; clock: as clock_gettime() takes it */
ULong time_cycles_of_ns(ULong ns);
ULong time_left(ThreadId tid, ULong ns); /* sleeps; returns the time left after a signal */
/* After a successful system call: converts its results to virtual time. */
void time_after(ThreadId tid, UInt number, const UWord *arguments);

/* helpers.c - reports the running thread's retired instructions to the simulator. Called whenever the program's code
 * is left, so all other code sees current totals. */
void engine_settle(void);

/* trace.c - adds a word to the running thread's trace; simulates all of it. */
void trace_push(Addr address, ULong code);
void trace_drain(void);

/* cpuid.c - the processor's identity: sets it in the program's auxiliary vector. */
void cpuid_start(void);

/* texts.c - places argument and environment strings so that their lengths do not shift addresses. */
void texts_install(void);

/* files.c - paths that the node redirects (vnode/node_path.h), and the amount of memory. */
void files_before(ThreadId tid, UWord number, const UWord *arguments);          /* before a system call */
void files_after(ThreadId tid, UInt number, const UWord *arguments, Bool done); /* after a system call */

/* written.c - files that the program creates or opens for writing. */
void written_before(ThreadId tid, UWord number, const UWord *arguments); /* before a system call */
void written_after(ThreadId tid, Int answer);                            /* after its success */
/* stored.c - translations that outlive the process. */
Bool stored_find(const VexTranslateArgs *arguments, VexTranslateResult *result);       /* False: to be made */
void stored_keep(const VexTranslateArgs *arguments, const VexTranslateResult *result); /* a new one */
void stored_forked(void);                                                              /* in the child */
void stored_write(void);                                                               /* at the end of the process */
/* operations.c - operations that VEX calculates in C. */
Bool operations_host_fuses(void); /* value of engine.host_fuses */
/* code.c - code that is compared with memory before it runs. */
void code_mapped(const UWord *arguments); /* after a successful mmap() */
/* The file that the program has mapped at the address, NULL: none. `offset`: of the address in it, 0 if none. */
const HChar *code_file(Addr address, ULong *offset);

/* syscalls.c, requests.c, instrument.c */
void syscalls_install(void);
void requests_install(void);
IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
                 const VexArchInfo *host, IRType guest_word, IRType host_word);

#endif
