/* crew.h - pinned threads that go through points together, each point in its own Marker API region.
 *
 * One thread per requested hardware thread; the calling thread is the first. Each starts LIKWID, is pinned, registers
 * all regions, and then runs point by point. If one of them fails, all end after that point. The program itself starts
 * and stops its regions:
 *
 *     crew_open(member);
 *     int started = LIKWID_MARKER_START(region);
 *     ...
 *     crew_close(member, region, started, LIKWID_MARKER_STOP(region)); */
#ifndef ASSAY_PROGRAM_CREW_H
#define ASSAY_PROGRAM_CREW_H

#include <pthread.h>
#include <stddef.h>

#include "validate/host/error.h"

struct crew;

struct member {
    struct crew *crew;
    size_t number; /* 0: the calling thread */
    pthread_t thread;
};

struct crew {
    const int *cpu; /* hardware thread of each, in this order */
    size_t threads;
    size_t points;
    const char *(*region)(const void *context, size_t point);
    void (*run)(struct member *member, size_t point);
    void *context;
    /* the crew's own */
    pthread_barrier_t barrier;
    pthread_mutex_t lock; /* of what follows, and held until it is known whether all threads exist */
    int cancelled;        /* not all threads exist */
    int failed;           /* after a barrier all threads see the same value */
    size_t failed_member; /* lowest number of the failed members; `error` is its reason */
    struct error error;
    int measuring; /* a likwid-perfctr measures this program's regions */
    double before; /* the first thread's seconds of processor time at the start of a region, and in all regions */
    double busy;
};

/* Runs all points. If likwid-perfctr measures, prints "cpu_seconds_in_regions S" to stdout: the part of the campaign's
 * time that is spent in regions, in processor time of the host, even if the clock is simulated. 0, or -1 with the
 * reason: a CPU that cannot be pinned to, a thread that cannot be made, a region that LIKWID refuses, or the reason
 * given to crew_fail(). */
int crew_run(struct crew *crew, struct error *error);

/* Barrier of all threads. It sleeps instead of spinning. */
void crew_meet(struct crew *crew);

void crew_fail(const struct member *member, const struct error *error);

/* Call crew_open() right before a region starts, crew_close() right after it has stopped: both are barriers. */
void crew_open(const struct member *member);
void crew_close(const struct member *member, const char *region, int started, int stopped);

#endif
