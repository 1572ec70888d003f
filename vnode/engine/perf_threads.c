/* perf_threads.c - what the events of threads count.
 *
 * A thread's events are evaluated where a piece of its program code begins and ends, on the core that it runs on.
 * If its groups need more counters than a hardware thread has, they take turns as in Linux, every 4 ms of the node's
 * time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "helpers.h"
#include "perf.h"

enum { TURN_NS = 4000000 };

static XArray *events_of(ThreadId tid) {
    return engine.thread[tid].events;
}

static struct perf_attached *at(XArray *events, Word i) {
    return VG_(indexXA)(events, i);
}

static struct perf_event *event_of(const struct perf_attached *one) {
    return &perf_file()->event[one->event];
}

static Bool exists(const struct perf_attached *one) {
    return event_of(one)->used && event_of(one)->id == one->id;
}

static Bool is_attached(ThreadId tid, UInt event) {
    XArray *events = events_of(tid);
    for (Word i = 0; events && i < VG_(sizeXA)(events); i++)
        if (at(events, i)->event == event)
            return True;
    return False;
}

static void attach(ThreadId tid, UInt event) {
    struct engine_thread *thread = &engine.thread[tid];
    struct perf_attached one = {.event = event, .id = perf_file()->event[event].id};
    if (perf_use(event_of(&one), &one.use))
        return;
    if (event_of(&one)->sampling.sample_period)
        engine.perf_samples = True;
    one.most = perf_sample_most(event_of(&one), &one.use);
    if (!thread->events)
        thread->events = VG_(newXA)(VG_(malloc), "assay.perf", VG_(free), sizeof one);
    VG_(addToXA)(thread->events, &one);
    __atomic_add_fetch(&event_of(&one)->counted, 1, __ATOMIC_RELAXED);
}

static void detach_gone(XArray *events) {
    for (Word i = VG_(sizeXA)(events) - 1; i >= 0; i--)
        if (!exists(at(events, i)))
            VG_(removeIndexXA)(events, i);
}

/* Whether an event of a CPU is attached to threads: for samples, records and what happens to threads. Other counts come
 * from the totals. */
static Bool is_attached_cpu(const struct perf_event *event) {
    const struct perf_sampling *asked = &event->sampling;
    return event->used && event->lwp < 0 && event->kind != PERF_BOX &&
           (event->kind > PERF_NOTHING || asked->sample_period || asked->comm || asked->mmap || asked->mmap2 ||
            asked->task);
}

static void attach_cpus(ThreadId tid) {
    for (UInt i = 0; i < PERF_EVENTS; i++)
        if (is_attached_cpu(&perf_file()->event[i]) && !is_attached(tid, i))
            attach(tid, i);
}

/* Drops events that were closed, and takes those that were opened for threads of this process. */
static void look_for_changes(void) {
    struct perf_file *file = perf_file();
    engine.perf_changes = __atomic_load_n(&file->changes, __ATOMIC_ACQUIRE);
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++) {
        if (events_of(tid))
            detach_gone(events_of(tid));
        if (engine.thread[tid].alive)
            attach_cpus(tid);
    }
    for (UInt i = 0; i < PERF_EVENTS; i++) {
        const struct perf_event *event = &file->event[i];
        ThreadId tid =
            event->used && event->lwp > 0 ? threads_named(VG_INVALID_THREADID, event->lwp) : VG_INVALID_THREADID;
        if (tid != VG_INVALID_THREADID && !is_attached(tid, i))
            attach(tid, i);
    }
}

/* ---- which groups have counters ---- */

struct counters {
    UInt general, fixed; /* free ones; fixed: a bit for each */
};

/* Takes the counters that the group's events need. False: there are too few. */
static Bool take_counters(XArray *events, UInt leader, struct counters *left) {
    struct counters after = *left;
    for (Word i = 0; i < VG_(sizeXA)(events); i++) {
        const struct perf_event *event = event_of(at(events, i));
        UInt bit = event->fixed >= 0 ? 1u << event->fixed : 0;
        if (event->leader != leader || event->kind != PERF_CORE || !at(events, i)->counting)
            continue;
        if (after.fixed & bit)
            after.fixed &= ~bit;
        else if (after.general-- == 0 || (event->select & 0xff) == 0)
            return False;
    }
    *left = after;
    return True;
}

static void run_group(XArray *events, UInt leader) {
    for (Word i = 0; i < VG_(sizeXA)(events); i++)
        if (event_of(at(events, i))->leader == leader)
            at(events, i)->running = at(events, i)->counting;
}

static struct counters all_counters(void) {
    const struct core_layout *core = &perf_table()->core;
    return (struct counters){core->counters, core->kind == CORE_INTEL ? (1u << core->fixed_counters) - 1 : 0};
}

/* As Linux, which tries again only after the event was enabled anew. */
static void fail(XArray *events, UInt leader) {
    perf_file()->event[leader].enabled = False;
    perf_file()->event[leader].failed = True;
    for (Word i = 0; i < VG_(sizeXA)(events); i++)
        if (event_of(at(events, i))->leader == leader)
            at(events, i)->counting = False;
}

/* Gives counters to the groups in order, beginning with the one whose turn it is; pinned ones first. An exclusive group
 * shares the core's counters with no other one. */
static void schedule(XArray *events, ULong now) {
    struct counters left = all_counters();
    Bool shared = False, exclusive = False;
    Word count = VG_(sizeXA)(events), first = (Word)(now / TURN_NS % (ULong)count);
    for (Int pinned = 1; pinned >= 0; pinned--)
        for (Word i = 0; i < count; i++) {
            const struct perf_attached *one = at(events, pinned ? i : (first + i) % count);
            const struct perf_event *event = event_of(one);
            if (event->leader != one->event || (event->pinned != 0) != pinned || !one->counting)
                continue;
            Bool is_core = event->kind == PERF_CORE;
            if ((is_core && (exclusive || (shared && event->exclusive))) || !take_counters(events, one->event, &left)) {
                if (pinned)
                    fail(events, one->event);
                continue;
            }
            run_group(events, one->event);
            shared |= is_core;
            exclusive |= is_core && event->exclusive;
        }
}

/* ---- pieces of program code ---- */

ULong perf_value(ThreadId tid, const struct perf_attached *one, ULong now) {
    const struct perf_event *event = event_of(one);
    return event->kind == PERF_CLOCK ? now : perf_total(event, &one->use, engine.thread[tid].core, &engine.slot->live);
}

void perf_start(ThreadId tid) {
    engine.overflow_budget = -PERF_NEVER;
    if (!engine.node->perf || !perf_file())
        return;
    if (__atomic_load_n(&perf_file()->changes, __ATOMIC_RELAXED) != engine.perf_changes)
        look_for_changes();
    XArray *events = events_of(tid);
    if (!events || VG_(sizeXA)(events) == 0)
        return;
    ULong now = time_ns(tid);
    for (Word i = 0; i < VG_(sizeXA)(events); i++) {
        struct perf_attached *one = at(events, i);
        const struct perf_event *event = event_of(one);
        one->counting =
            exists(one) && perf_enabled(event) && (event->cpu < 0 || event->cpu == (Int)engine.thread[tid].core);
        one->running = False;
        one->began = now;
    }
    schedule(events, now);
    for (Word i = 0; i < VG_(sizeXA)(events); i++) {
        struct perf_attached *one = at(events, i);
        one->ran = one->running;
        if (one->running) {
            one->base = perf_value(tid, one, now);
            perf_sample_start(one);
        }
        if (event_of(one)->ring.pages)
            perf_ring_show(one, (UInt)i + 1);
    }
    perf_sample_plan(tid);
}

ULong engine_rdpmc(VexGuestAMD64State *guest, Addr instruction) {
    const struct perf_attached *one = perf_attached(engine.running, (Word)(UInt)guest->guest_RCX);
    if (!engine.perf_mapped)
        return False;
    engine_settle();
    ULong value = one && one->running ? perf_value(engine.running, one, 0) - one->shown : 0; /* an idle counter */
    guest->guest_RAX = (UInt)value;
    guest->guest_RDX = value >> 32 & 0xffff;
    trace_push(instruction, trace_fetch(2));
    engine.budget--;
    return True;
}

static void add_piece(ThreadId tid, struct perf_attached *one, ULong now) {
    struct perf_event *event = event_of(one);
    ULong total = perf_value(tid, one, now);
    if (one->running)
        perf_sample_advance(one, total);
    if (!one->counting || !exists(one) || event->lwp < 0)
        return;
    __atomic_add_fetch(&event->time_enabled, now - one->began, __ATOMIC_RELAXED);
    if (!one->running)
        return;
    __atomic_add_fetch(&event->time_running, now - one->began, __ATOMIC_RELAXED);
    __atomic_add_fetch(&event->value, total - one->base, __ATOMIC_RELAXED);
}

/* Switches and migrations happen between two pieces, page faults within one. A migration counts on the new CPU. */
void perf_happened(ThreadId tid, enum perf_kind kind) {
    const struct perf_attached *one;
    for (Word i = 0; (one = perf_attached(tid, i)) != NULL; i++) {
        struct perf_event *event = event_of(one);
        Bool here = event->cpu < 0 || event->cpu == (Int)engine.thread[tid].core;
        Bool counts = kind == PERF_FAULTS ? one->running : one->ran || event->cpu >= 0;
        if (event->kind == kind && counts && here && exists(one) && perf_enabled(event))
            __atomic_add_fetch(&event->value, 1, __ATOMIC_RELAXED);
    }
}

void perf_settle(ThreadId tid) {
    XArray *events = events_of(tid);
    ULong now = time_ns(tid);
    for (Word i = 0; events && i < VG_(sizeXA)(events); i++) {
        struct perf_attached *one = at(events, i);
        add_piece(tid, one, now);
        one->counting = one->counting && exists(one) && perf_enabled(event_of(one));
        one->running = one->running && one->counting;
        one->base = perf_value(tid, one, now);
        one->began = now;
    }
}

void perf_stop(ThreadId tid) {
    XArray *events = events_of(tid);
    if (!events)
        return;
    ULong now = time_ns(tid);
    for (Word i = 0; i < VG_(sizeXA)(events); i++) {
        add_piece(tid, at(events, i), now);
        at(events, i)->counting = at(events, i)->running = False;
        if (exists(at(events, i)) && event_of(at(events, i))->ring.pages)
            perf_ring_show(at(events, i), 0); /* another thread that has it mapped reads the value instead */
    }
    perf_samples_begin();
}

/* ---- new threads, processes and programs ---- */

/* Events that an earlier program of the process handed on; those that wait for a new program count now. */
static void receive(ThreadId tid, const HChar *text) {
    struct perf_file *file = perf_file();
    while (*text) {
        HChar *end;
        UInt index = (UInt)VG_(strtoll10)(text, &end);
        ULong id = *end == ':' ? (ULong)VG_(strtoll10)(end + 1, &end) : 0;
        if (index < PERF_EVENTS && file->event[index].used && file->event[index].id == id) {
            attach(tid, index);
            if (is_attached(tid, index)) /* it counted the thread before */
                __atomic_sub_fetch(&file->event[index].counted, 1, __ATOMIC_RELAXED);
            file->event[index].enabled |= file->event[index].on_exec;
            file->event[index].on_exec = 0;
            perf_fault_interval(&file->event[index]);
        }
        text = *end == ',' ? end + 1 : "";
    }
}

void perf_thread_created(ThreadId creator, ThreadId tid) {
    const struct perf_attached *one;
    if (!engine.node->perf || !perf_file())
        return;
    for (Word i = 0; creator != VG_INVALID_THREADID && (one = perf_attached(creator, i)) != NULL; i++)
        if (exists(one) && event_of(one)->inherits)
            attach(tid, one->event);
    if (creator == VG_INVALID_THREADID && engine.initial_events)
        receive(tid, engine.initial_events);
    attach_cpus(tid);
    if (creator == VG_INVALID_THREADID) {
        perf_samples_begin();
        perf_tell_program(tid);
    }
}

static void forget_events(ThreadId tid) {
    if (events_of(tid))
        VG_(deleteXA)(events_of(tid));
    engine.thread[tid].events = NULL;
}

/* The thread is no longer counted. As with Linux, the end of the last one wakes who polls the event. */
static void leave(const struct perf_attached *one) {
    struct perf_event *event = event_of(one);
    if (exists(one) && __atomic_sub_fetch(&event->counted, 1, __ATOMIC_RELAXED) == 0 && event->lwp >= 0)
        perf_bell_end(one->event);
}

void perf_thread_ended(ThreadId tid) {
    const struct perf_attached *one;
    perf_tell_ended(tid);
    for (Word i = 0; (one = perf_attached(tid, i)) != NULL; i++)
        leave(one);
    forget_events(tid);
}

void perf_forked(ThreadId tid) {
    for (ThreadId other = 1; other <= engine.last_thread; other++)
        if (other != tid)
            forget_events(other); /* they are the parent's */
    XArray *events = events_of(tid);
    for (Word i = events ? VG_(sizeXA)(events) - 1 : -1; i >= 0; i--) {
        const struct perf_event *event = event_of(at(events, i));
        Bool goes_on = event->lwp < 0 || (event->inherits && !event->threads_only);
        if (!exists(at(events, i)) || !goes_on)
            VG_(removeIndexXA)(events, i);
        else
            __atomic_add_fetch(&event_of(at(events, i))->counted, 1, __ATOMIC_RELAXED);
    }
}

HChar *perf_hand_on(ThreadId tid) {
    enum { NUMBER_BYTES = 32 };
    XArray *events = events_of(tid);
    Word count = events ? VG_(sizeXA)(events) : 0;
    HChar *text = VG_(malloc)("assay.perf", sizeof "--events=" + (SizeT)count * NUMBER_BYTES);
    UInt length = VG_(sprintf)(text, "--events=");
    perf_bells_pause();
    for (Word i = 0; i < count; i++)
        if (exists(at(events, i)) && !event_of(at(events, i))->removed_on_exec)
            length += VG_(sprintf)(text + length, "%u:%llu,", at(events, i)->event, at(events, i)->id);
    return text;
}
