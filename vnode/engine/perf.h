/* perf.h - Linux' perf_event on the node: events that count, read with read(), no samples.
 *
 * An event is a record in NODE_DIR/perf-events, which all processes of the node map once one of them has opened an
 * event. Its descriptor is that of a file of its own, so it is duplicated, inherited, passed on and closed as the
 * kernel does these; the file's size is a page more than its index in pages. A lock on the file says that somebody has
 * it open.
 *
 * An event of threads is attached to each thread that it counts, and collects their counts at the end of every piece
 * of program code that they run; so it is current when another process reads it but for the piece that runs now. An
 * event of a CPU is calculated from the node's totals when it is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_PERF_H
#define ASSAY_VNODE_ENGINE_PERF_H

#include "engine.h"
#include "vnode/pmu/box_use.h"
#include "vnode/pmu/compiled.h"
#include "vnode/pmu/core_use.h"

enum { PERF_EVENTS = 1024, PERF_NONE = ~0u };

/* An event select of a core; of a box; time on the CPU; a dummy, always 0. */
enum perf_kind { PERF_CORE, PERF_BOX, PERF_CLOCK, PERF_NOTHING };

/* What an event counts. */
struct perf_use {
    struct core_use core; /* PERF_CORE */
    struct box_use box;   /* PERF_BOX */
};

struct perf_event {
    uint32_t used; /* claimed by compare-and-swap */
    uint32_t kind;
    uint64_t id;                       /* of no other event, ascending */
    uint64_t device, inode;            /* of its file */
    uint64_t select, extra;            /* PERF_CORE, PERF_BOX: registers; `extra`: offcore responses, or two filters */
    uint32_t box, instance;            /* PERF_BOX: its kind, and its number in the CPU's socket */
    int32_t fixed;                     /* number of a fixed counter that can count it, -1: none */
    int32_t lwp;                       /* the thread it was opened for, -1: all of the CPU */
    int32_t cpu;                       /* -1: any */
    int32_t owner;                     /* the thread that opened it */
    uint32_t leader;                   /* index of its group's first event */
    uint32_t inherits, threads_only;   /* counts processes and threads, or only threads, that its threads create */
    uint32_t on_exec, removed_on_exec; /* enabled, or taken from the thread, when it executes a program */
    uint32_t pinned;
    uint64_t read_format;
    uint32_t enabled;
    uint64_t value, time_enabled, time_running; /* ns; a CPU's event: up to the last change of `enabled` */
    uint64_t base, since;                       /* of a CPU's event: its total, and the time, at that change */
};

struct perf_file {
    uint64_t ids;     /* number of events ever opened */
    uint32_t changes; /* number of events opened or freed */
    struct perf_event event[PERF_EVENTS];
};

/* The shared file; mapped, and created, on the first call. NULL: not possible. */
struct perf_file *perf_file(void);
const struct pmu_table *perf_table(void);

/* perf_event.c - one event. */
Bool perf_enabled(const struct perf_event *event);                           /* it and its group are */
const HChar *perf_use(const struct perf_event *event, struct perf_use *use); /* NULL, or why it cannot count */
/* Its total on a CPU; in `own`, or if that is NULL in the whole node: hold the node then. */
ULong perf_total(const struct perf_event *event, const struct perf_use *use, UInt cpu, const struct sim_counts *own);
void perf_collect(ThreadId tid, struct perf_event *event); /* adds what a CPU's event has counted until now */
void perf_switch(ThreadId tid, struct perf_event *event, Bool enable);

/* perf_descriptors.c - descriptors. perf_of(): the event of a descriptor, PERF_NONE. */
UInt perf_of(Int fd);
UInt perf_take(void); /* a free record, PERF_NONE: there is none */
Int perf_descriptor(UInt index, Bool close_on_exec);
void perf_closed(UInt index); /* frees it if nobody has it open any more */

/* perf_threads.c - events of threads. Called from threads.c and main.c; none costs anything until events exist. */
void perf_start(ThreadId tid);
void perf_stop(ThreadId tid);
void perf_thread_created(ThreadId creator, ThreadId tid);
void perf_thread_ended(ThreadId tid);
void perf_forked(ThreadId tid);
HChar *perf_hand_on(ThreadId tid); /* the option --events for the program that it executes */

#endif
