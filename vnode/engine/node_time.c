/* node_time.c - this process in the node's time (vnode/clock_file.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/clock_file.h"

enum { NS_PER_S = 1000000000, NAP_NS = 20000, NAP_DOUBLED = 6, LOOK_MS = 200, JOIN_MS = 1000 };

static struct {
    struct clock_file *file;
    struct clock_member *member; /* NULL: this process does not take part */
    Int pid;
    ULong published; /* the last published time */
    UInt naps;       /* consecutive naps */
    UInt refusals;   /* consecutive ones of has_waking() */
    UInt looked_ms;
    struct clock_watch watch;
} self;

static ULong host_ns(Int clock) {
    struct vki_timespec now;
    VG_(clock_gettime)(&now, clock);
    return (ULong)now.tv_sec * NS_PER_S;
}

static long read_file(const char *path, char *out, unsigned size) {
    Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0), length;
    if (fd < 0)
        return -1;
    length = VG_(read)(fd, out, (Int)size);
    VG_(close)(fd);
    return length;
}

void node_time_start(void) {
    self.file = node_share(CLOCK_FILE_NAME, sizeof *self.file, True); /* the first process creates it */
    if (!self.file)
        node_fail("cannot be made", CLOCK_FILE_NAME, "free space or set TMPDIR");
    clock_begin(self.file, host_ns(VKI_CLOCK_MONOTONIC), host_ns(VKI_CLOCK_REALTIME));
    self.pid = VG_(getpid)();
    self.member = clock_join(self.file, self.pid);
    if (self.member) /* inherited from the process before exec() */
        self.member->in_kernel = 0;
    engine.start_ns = self.member ? self.member->time : self.file->latest;
    engine.origin_monotonic_ns = self.file->origin_monotonic;
    engine.origin_real_ns = self.file->origin_real;
}

/* The thread's time as node time, in ns. */
static ULong time_of(ThreadId tid) {
    return time_ns(tid) - engine.origin_monotonic_ns;
}

static void set(enum clock_state state, ULong time) {
    clock_set(self.file, self.member, state, time);
    if (state != CLOCK_AT && self.published < time)
        self.published = time;
}

void node_time_publish(ThreadId tid, Int in_kernel) {
    if (!self.member)
        return;
    set(CLOCK_RUNS, time_of(tid));
    self.member->in_kernel = in_kernel;
}

void node_time_leave_kernel(ThreadId tid) {
    if (!self.member)
        return;
    if (self.member->state == CLOCK_WAITS) /* until its turn, others look at this thread */
        engine.thread[tid].time = node_time_now(tid);
    else
        self.member->in_kernel = 0;
}

/* Only other processes' progress advances a thread's time here. */
ULong node_time_reached(void) {
    ULong latest = self.member ? self.file->latest : 0;
    return latest <= self.published || latest <= engine.start_ns ? 0 : time_cycles_of_ns(latest - engine.start_ns);
}

ULong node_time_now(ThreadId tid) {
    ULong reached = node_time_reached(), own = threads_time(tid);
    return reached > own ? reached : own;
}

void node_time_wait(ThreadId tid) {
    if (self.member)
        set(CLOCK_WAITS, tid == VG_INVALID_THREADID ? self.published : time_of(tid));
}

Bool node_time_is_shared(void) {
    return self.member && clock_has_others(self.file, self.member);
}

/* Whether a sleep must not end, because the host has woken another process. Not for ever: the host may have given the
 * number of a killed process to another one. */
static Bool has_waking(void) {
    enum { MOST = 10000 }; /* with a nap after each: some ten seconds */
    Bool has = self.refusals < MOST && clock_has_waking(self.file, self.member, read_file);
    self.refusals = has ? self.refusals + 1 : 0;
    return has;
}

Bool node_time_allows(ThreadId tid) {
    if (!self.member)
        return True;
    set(engine.thread[tid].sleeping ? CLOCK_AT : CLOCK_RUNS, time_of(tid));
    return clock_may_go(self.file, self.member) && !(engine.thread[tid].sleeping && has_waking());
}

void node_time_goes_on(ThreadId tid) {
    if (!self.member)
        return;
    self.naps = 0;
    clock_reach(self.file, time_of(tid));
}

/* Starts short, for processes that alternate; grows, because a sleeper may wait long. */
void node_time_nap(void) {
    UInt doubled = self.naps < NAP_DOUBLED ? self.naps : NAP_DOUBLED;
    const struct vki_timespec nap = {0, (long)NAP_NS << doubled};
    if (self.naps++ == 0) {
        self.looked_ms = VG_(read_millisecond_timer)();
        self.watch = (struct clock_watch){0, 0};
    }
    VG_(do_syscall)(__NR_nanosleep, (UWord)&nap, 0, 0, 0, 0, 0, 0, 0);
}

void node_time_look_about(void) {
    if (!self.member || self.naps <= NAP_DOUBLED / 2)
        return;
    Bool long_enough = VG_(read_millisecond_timer)() - self.looked_ms > LOOK_MS;
    clock_look_about(self.file, self.member, long_enough ? &self.watch : NULL, read_file);
    if (long_enough)
        self.looked_ms = VG_(read_millisecond_timer)();
}

void node_time_forked(ThreadId tid, Bool counted) {
    self.pid = VG_(getpid)();
    self.member = counted ? clock_join(self.file, self.pid) : NULL;
    node_time_publish(tid, 0);
}

/* Waits until the child takes part: the node's time must not pass before. */
void node_time_await_child(Int pid) {
    static const struct vki_timespec moment = {0, NAP_NS};
    UInt since = VG_(read_millisecond_timer)();
    while (self.member && !clock_find(self.file, pid) && !clock_is_gone(pid, read_file) &&
           VG_(read_millisecond_timer)() - since < JOIN_MS)
        VG_(do_syscall)(__NR_nanosleep, (UWord)&moment, 0, 0, 0, 0, 0, 0, 0);
}

void node_time_end(void) {
    if (self.member)
        set(CLOCK_ENDS, self.published);
}
