/* clock_file.h - the time of a node, shared by its processes: NODE_DIR/clock, mapped by the engine of every simulated
 * process and by LIKWID's native tools.
 *
 * Times are nanoseconds since the start of the node. Each participating process has a member: its current time, or
 * the deadline of its sleep. The rules are those of a conservative discrete-event simulation:
 *
 *   - a running process waits when it reaches a sleeper's deadline, or is CLOCK_AHEAD past another running process;
 *   - a sleeper wakes when no other process is before its deadline. If all sleep, time jumps to the first deadline.
 *
 * A process that waits for something else (a child, a pipe) delays no other until the host wakes it; no sleep ends
 * between that and its next step. When it continues, its time becomes the latest of all. A held process regularly
 * checks the processes that hold it: it no longer waits for one that was killed, stopped, or sleeps in the kernel.
 *
 * Freestanding: the caller passes a function that reads files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_CLOCK_FILE_H
#define ASSAY_VNODE_CLOCK_FILE_H

#include <stdint.h>

#define CLOCK_FILE_NAME "clock" /* in the node's folder */

enum { CLOCK_MEMBERS = 256, CLOCK_AHEAD_NS = 100000 };

enum clock_state {
    CLOCK_WAITS, /* waits for something other than time: delays no other */
    CLOCK_RUNS,  /* runs, currently at `time` */
    CLOCK_AT,    /* sleeps until `time`, or is a native process that runs in zero time at `time` */
    CLOCK_ENDS   /* ends at `time` */
};

struct clock_member {
    int32_t pid; /* 0: free. Taken by compare-and-swap */
    uint32_t state;
    uint64_t time;
    int32_t in_kernel; /* thread id while in a system call; 0: none */
    uint32_t unused;
};

struct clock_file {
    uint64_t origin_monotonic, origin_real; /* the host's clocks when the node began, whole seconds */
    uint64_t latest;                        /* time of the most advanced process; never decreases */
    struct clock_member member[CLOCK_MEMBERS];
};

/* What a held process has observed of one that holds it. */
struct clock_watch {
    int32_t pid;
    uint64_t turns; /* times that the host has scheduled its thread */
};

/* Reads up to `size` bytes from a file's start; returns their number, or -1. */
typedef long clock_reader(const char *path, char *out, unsigned size);

/* Initialises a new file with the host's clocks, in whole seconds. */
void clock_begin(struct clock_file *file, uint64_t monotonic, uint64_t real);

/* Whether a process has ended. */
int clock_is_gone(int32_t pid, clock_reader *read);

/* The member of a process; NULL: none. */
struct clock_member *clock_find(struct clock_file *file, int32_t pid);

/* The same; adds a member, running at the latest time, if there is none. NULL: all are in use. Not to be called
 * concurrently for the same `pid`. */
struct clock_member *clock_join(struct clock_file *file, int32_t pid);

/* A process has reached `time`. */
void clock_reach(struct clock_file *file, uint64_t time);

/* Sets the member's state and time. */
void clock_set(struct clock_file *file, struct clock_member *member, enum clock_state state, uint64_t time);

/* Whether the member may continue. */
int clock_may_go(const struct clock_file *file, const struct clock_member *member);

/* For a member that may go on otherwise: whether the host has woken another one that seemed to wait, because what it
 * waited for has come. */
int clock_has_waking(const struct clock_file *file, const struct clock_member *member, clock_reader *read);

/* Whether any other member can hold this one, or be held by it. */
int clock_has_others(const struct clock_file *file, const struct clock_member *member);

/* Stops `member` from waiting for processes that have ended or were stopped. With `watch`: also for those that sleep
 * in the kernel and have not run since `watch` was used last. */
void clock_look_about(struct clock_file *file, const struct clock_member *member, struct clock_watch *watch,
                      clock_reader *read);

#endif
