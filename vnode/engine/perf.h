/* perf.h - Linux' perf_event on the node: events that count, and samples of them.
 *
 * An event is a record in NODE_DIR/perf-events, which all processes of the node map once one of them has opened an
 * event. Its descriptor is the reading end of a named pipe, so the host's kernel duplicates, inherits, passes on and
 * closes it. A byte written to the pipe wakes those that poll it and raises the signals that fcntl() asked for. A lock
 * on the pipe shows that a process has it open. mmap() of the descriptor maps another file, the event's ring.
 *
 * An event of threads is attached to each thread that it counts, and adds their counts at the end of every piece of
 * program code that they run. So what another process reads lacks only the piece that runs now. An event of a CPU is
 * calculated from the node's totals when it is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_PERF_H
#define ASSAY_VNODE_ENGINE_PERF_H

#include <linux/perf_event.h>

#include "engine.h"
#include "vnode/pmu/box_use.h"
#include "vnode/pmu/compiled.h"
#include "vnode/pmu/core_use.h"

enum { PERF_FREQUENCY_MAX = 100000, PERF_FRAMES_MAX = 127 }; /* Linux' perf_event_max_sample_rate, _max_stack */
#define PERF_PERIOD_MAX (~0ULL >> 1)
#define PERF_NEVER ((Long)1 << 62) /* instructions */
enum { PERF_EVENTS = 1024, PERF_NONE = ~0u, PERF_PATH_BYTES = 32 /* after the folder's path */ };

enum {
    PERF_NOT_SUPPORTED = 95,
    PERF_CLOSE_ON_EXEC = 02000000
}; /* EOPNOTSUPP, O_CLOEXEC: Valgrind's headers lack them */

/* Files of an event in the node's folder; its id follows. */
#define PERF_PIPE "perf-event"
#define PERF_RING "perf-ring"

/* Counts by a core's event select, or by a box's; time on the CPU; always 0. perf_happened() counts the rest. */
enum perf_kind { PERF_CORE, PERF_BOX, PERF_CLOCK, PERF_NOTHING, PERF_SWITCHES, PERF_MIGRATIONS, PERF_FAULTS };

/* A ring of records that a program has mapped: a header page as Linux has it, then 2^n pages. */
struct perf_ring {
    uint32_t pages;  /* all of them; 0: not mapped */
    uint32_t keeps;  /* records are dropped while it is full; otherwise the oldest ones are overwritten */
    uint32_t holder; /* the process that writes a record, 0: none */
    uint32_t paused;
    uint64_t head;      /* bytes ever written */
    uint64_t announced; /* `head` when the reader was last woken because of the number of bytes */
    uint64_t waiting;   /* samples since it was last woken because of the number of samples */
    uint64_t lost, all; /* records dropped since the last PERF_RECORD_LOST, and ever */
};

/* How an event is sampled; names are those of struct perf_event_attr. */
struct perf_sampling {
    uint64_t sample_type;
    uint64_t sample_period; /* 0: it only counts. With a frequency: the first one */
    uint32_t sample_freq;   /* samples a second of the node's time, 0: the period is fixed */
    uint32_t wakeup;        /* wakes the reader after this number of samples (bytes if `watermark`); 0: half the ring */
    uint8_t watermark, exact, sample_id_all, comm, mmap, mmap_data, mmap2, task, no_callers;
    uint8_t asynchronous, ownerless;    /* each overflow raises a signal; fcntl() has set 0 as its receiver */
    uint64_t registers, registers_then; /* of sample_regs_user and sample_regs_intr, by Linux' numbers */
    uint32_t stack, frames;             /* bytes of the stack; most callers, 0: PERF_FRAMES_MAX */
    uint32_t limit;                     /* overflows until the event is disabled, 0: never */
    uint32_t output;                    /* the event whose ring takes its records */
};

/* What an event counts. */
struct perf_use {
    struct core_use core; /* PERF_CORE */
    struct box_use box;   /* PERF_BOX */
};

struct perf_event {
    uint32_t used; /* claimed by compare-and-swap */
    uint32_t kind;
    uint64_t id;                       /* unique, ascending */
    uint64_t select, extra;            /* PERF_CORE, PERF_BOX: registers; `extra`: offcore responses, or two filters */
    uint32_t box, instance;            /* PERF_BOX: its kind, and its number in the CPU's socket */
    int32_t fixed;                     /* number of a fixed counter that can count it, -1: none */
    uint32_t counter;                  /* otherwise its general counter, for faults */
    int32_t lwp;                       /* the thread it was opened for, -1: all of the CPU */
    int32_t cpu;                       /* -1: any */
    int32_t owner;                     /* the thread that opened it */
    uint32_t leader;                   /* index of its group's first event */
    uint32_t inherits, threads_only;   /* counts processes and threads, or only threads, that its threads create */
    uint32_t on_exec, removed_on_exec; /* enabled, or taken from the thread, when it executes a program */
    uint32_t counted;                  /* threads that it counts, unless they were killed; not of a CPU's event */
    uint32_t pinned, exclusive;
    uint32_t failed; /* pinned, but there was no counter for it: read() shows an end until it is enabled again */
    uint64_t read_format;
    uint32_t enabled;
    uint64_t value, time_enabled, time_running; /* ns; a CPU's event: up to the last change of `enabled` */
    uint64_t base, since;                       /* of a CPU's event: its total, and the time, at that change */
    uint64_t past, begun;                       /* perf_faults.c: its count from ended intervals, and `value` then */
    uint32_t interval, in_interval;             /* number of the counting interval, and whether it lasts */
    int32_t process, descriptor;                /* that opened it, and the number of its descriptor there */
    struct perf_sampling sampling;
    struct perf_ring ring;
};

/* An event of a thread, as the thread's process sees it. */
struct perf_attached {
    UInt event;
    ULong id; /* the record has another id: the event was closed */
    Bool counting, running;
    Bool ran; /* in the last piece, or the current one */
    ULong base, began;
    ULong shown; /* its total at which rdpmc reads 0 */
    struct perf_use use;
    /* if it is sampled */
    UInt most;    /* events of an instruction at most, 0: none */
    ULong asked;  /* the event's sample_period when `period` was set */
    ULong period; /* the current one */
    ULong seen;   /* total that `left` refers to */
    Long left;    /* events until the next overflow */
    ULong time;   /* of the last overflow */
};

struct perf_file {
    uint64_t ids;                        /* number of events ever opened */
    uint32_t changes;                    /* number of events opened or freed */
    uint64_t device, inode[PERF_EVENTS]; /* of their pipes */
    struct perf_event event[PERF_EVENTS];
};

/* The shared file; mapped, and created, on the first call. NULL: not possible. */
struct perf_file *perf_file(void);
const struct pmu_table *perf_table(void);
const struct fault_list *perf_faults(void);

/* perf_event.c - one event. */
Bool perf_enabled(const struct perf_event *event);                           /* it and its group's leader are enabled */
const HChar *perf_use(const struct perf_event *event, struct perf_use *use); /* NULL, or why it cannot count */
/* The event's total on a CPU, from `own`. NULL: from all processes; the caller holds the node. */
ULong perf_total(const struct perf_event *event, const struct perf_use *use, UInt cpu, const struct sim_counts *own);
void perf_collect(ThreadId tid, struct perf_event *event); /* adds what a CPU's event has counted until now */
void perf_switch(ThreadId tid, struct perf_event *event, Bool enable);

/* perf_faults.c - faults of the node's counters. */
Bool perf_is_faulty(void);                              /* the node has faults */
void perf_fault_counter(UInt index);                    /* gives the event a general counter */
Bool perf_fault_denies(const struct perf_event *event); /* its PMU cannot be accessed */
/* What the event selects with its faults. True: filters have no effect. */
Bool perf_fault_select(const struct perf_event *event, struct perf_event *wrong);
const struct formula *perf_fault_formula(const struct perf_event *event); /* NULL: its own */
void perf_fault_place(const struct perf_event *event, UInt *socket, UInt *instance);
ULong perf_shown(const struct perf_event *event);         /* its count as read */
void perf_fault_interval(const struct perf_event *event); /* it, or all of its group, may have been switched */
void perf_fault_reset(struct perf_event *event);

/* perf_descriptors.c - descriptors. perf_of(): the event of a descriptor, PERF_NONE. */
UInt perf_of(Int fd);
UInt perf_take(void); /* a free record, PERF_NONE: there is none */
void perf_path(UInt index, const HChar *prefix,
               HChar *path); /* of a file of the event; PERF_PATH_BYTES with the folder */
Int perf_descriptor(UInt index, Bool close_on_exec);
void perf_closed(UInt index); /* frees it if nobody has it open any more */

/* perf_threads.c - events of threads. Called from threads.c and main.c; none costs anything until events exist. */
void perf_start(ThreadId tid);
void perf_stop(ThreadId tid);
void perf_thread_created(ThreadId creator, ThreadId tid);
void perf_thread_ended(ThreadId tid);
void perf_forked(ThreadId tid);
HChar *perf_hand_on(ThreadId tid); /* the option --events for the program that it executes */

/* The total of what it counts; `now`: the time, for a clock. */
ULong perf_value(ThreadId tid, const struct perf_attached *one, ULong now);
void perf_happened(ThreadId tid, enum perf_kind kind); /* once, to the thread */
void perf_settle(ThreadId tid); /* adds what the thread's events have counted in the piece that runs */
/* Perf events of the thread, of struct perf_attached; NULL: none. */
static inline struct perf_attached *perf_attached(ThreadId tid, Word i) {
    XArray *events = engine.thread[tid].events;
    return events && i < VG_(sizeXA)(events) ? VG_(indexXA)(events, i) : NULL;
}

/* perf_read.c - the words of read() and of a sample: in the event's read_format. Not more than perf_read_words(). */
UInt perf_read_words(UInt index);
ULong *perf_read_put(UInt index, ULong *out);

/* perf_calls.c: its records go to the ring of another event, -1: to its own. 0, or a negative error number. */
Long perf_set_output(UInt index, Int fd);

/* perf_ring.c - rings and bells. perf_ring_file(): a descriptor of the file to be mapped instead of the event, or the
 * error of mmap(); perf_ring_mapped(): it was mapped. */
Long perf_ring_file(UInt index, const UWord *arguments);
void perf_ring_mapped(UInt index, const UWord *arguments);
/* Shows in its page the counter that counts it now, as rdpmc reads it. */
void perf_ring_show(struct perf_attached *one, UInt counter);
void perf_ring_write(const struct perf_event *event, const struct perf_event_header *record);
void perf_bell(UInt index); /* wakes those that poll the event, and raises its signal */
Bool perf_bell_open(UInt index);
void perf_bell_heard(Int fd);
void perf_bell_end(UInt index); /* readers that poll it see POLLHUP from now on */
void perf_bells_pause(void);    /* the process is about to execute a program ... */
void perf_bells_resume(void);   /* ... which has failed: a descriptor without a bell would look as if all had ended */

/* perf_samples.c - overflows of the events of this process's threads, and their samples. perf_samples_begin(): called
 * outside of program code; discards translations without engine_overflow() if an event is now sampled. */
void perf_samples_begin(void);
void perf_sample_start(struct perf_attached *one); /* a piece starts; `base` is set */
void perf_sample_advance(struct perf_attached *one, ULong total);
UInt perf_sample_most(const struct perf_event *event, const struct perf_use *use); /* struct perf_attached */
/* Sets the budget at which an event of the thread can overflow next: until then engine_overflow() is not called. */
void perf_sample_plan(ThreadId tid);

/* perf_records.c - sideband records: programs, mappings, threads and processes that start and end. */
void perf_tell_program(ThreadId tid);
void perf_tell_name(ThreadId tid, const HChar *name, Bool by_exec); /* of the thread */
void perf_tell_mapping(ThreadId tid, Addr start);
void perf_tell_started(ThreadId creator, Int process, Int lwp);
void perf_tell_ended(ThreadId tid);

#endif
