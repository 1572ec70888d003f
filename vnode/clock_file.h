/* clock_file.h - the time of a node, which its processes share: NODE_DIR/clock, mapped by the engine of every simulated
 * process and by LIKWID's native tools.
 *
 * Times are nanoseconds since the node began. Each process that takes part has a member: how far its own time has come,
 * or the deadline until which it sleeps. The rule is that of a conservative discrete-event simulation:
 *
 *   - a running process waits where it comes to a sleeper's deadline, or CLOCK_AHEAD past another running process;
 *   - a sleeper wakes when no other process is before its deadline. Where all sleep, time jumps to the first deadline.
 *
 * A process that waits for anything else (a child, a pipe) holds nobody. When it goes on, its time is the latest of
 * any. Whoever is held looks from time to time at those that hold it: a process that was killed, stopped, or sleeps in
 * the kernel is no longer waited for.
 *
 * Freestanding: the caller gives a function that reads files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_CLOCK_FILE_H
#define ASSAY_VNODE_CLOCK_FILE_H

#include <stdint.h>

#define CLOCK_FILE_NAME "clock" /* in the node's folder */

enum { CLOCK_MEMBERS = 256, CLOCK_AHEAD_NS = 100000 };

enum clock_state {
    CLOCK_WAITS, /* for something other than time: holds nobody */
    CLOCK_RUNS,  /* its time has come to `time` */
    CLOCK_AT,    /* sleeps until `time`, or is a native process that works in no time at `time` */
    CLOCK_ENDS   /* has come to its end at `time`, and is about to go */
};

struct clock_member {
    int32_t pid; /* 0: free. Taken by compare-and-swap */
    uint32_t state;
    uint64_t time;
    int32_t in_kernel; /* number of the thread that is in a system call; 0: none */
    uint32_t unused;
};

struct clock_file {
    uint64_t origin_monotonic, origin_real; /* the host's clocks when the node began, whole seconds */
    uint64_t latest;                        /* the time of the process that has come farthest; never goes back */
    struct clock_member member[CLOCK_MEMBERS];
};

/* What a process that is held has seen of one that holds it. */
struct clock_watch {
    int32_t pid;
    uint64_t turns; /* times the host has let its thread run */
};

/* Reads up to `size` bytes of a file's start; their number, or -1. */
typedef long clock_reader(const char *path, char *out, unsigned size);

/* Sets the origin of a new file, from the host's clocks in whole seconds. */
void clock_begin(struct clock_file *file, uint64_t monotonic, uint64_t real);

/* Whether a process has ended. */
int clock_is_gone(int32_t pid, clock_reader *read);

/* The member of a process; NULL: none. */
struct clock_member *clock_find(struct clock_file *file, int32_t pid);

/* The same, made if there is none, running at the latest time; NULL: all are taken. One process at a time may do this
 * for the same `pid`. */
struct clock_member *clock_join(struct clock_file *file, int32_t pid);

/* Some process has come to `time`. */
void clock_reach(struct clock_file *file, uint64_t time);

/* The member's state and time. */
void clock_set(struct clock_file *file, struct clock_member *member, enum clock_state state, uint64_t time);

/* Whether the member may go on. */
int clock_may_go(const struct clock_file *file, const struct clock_member *member);

/* Whether any other member can hold this one, or be held by it. */
int clock_has_others(const struct clock_file *file, const struct clock_member *member);

/* Lets go of those who hold the member and are no longer there. With `watch`: and of those that sleep in the kernel,
 * and have done so since `watch` was used last. */
void clock_look_about(struct clock_file *file, const struct clock_member *member, struct clock_watch *watch,
                      clock_reader *read);

#endif
