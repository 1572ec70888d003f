/* team.h - the threads of the stream program, one per requested hardware thread; the calling thread is the first.
 *
 * For each point every thread fills the streams of its own block (first touch), sweeps over them once, and then runs
 * the kernel inside the point's region. A point with the same kernel and number of elements as the one before it
 * uses its data, without first touch and first sweep. With one thread a region has only the sweeps and the store fence
 * after them. With more threads it also has two barriers: one after the start, so that the socket's counters are read
 * before there is traffic, and one before the stop, so that all traffic is done when they are read again. The barriers
 * sleep instead of spinning; an empty region shows their cost. */
#ifndef ASSAY_STREAM_TEAM_H
#define ASSAY_STREAM_TEAM_H

#include "patterns/stream/points.h"

struct team {
    const int *cpu; /* hardware thread of each thread of the team, in this order */
    size_t threads; /* 1 to CPUS_MAX of patterns/program/cpus.h */
    const struct points *points;
    size_t stagger; /* bytes left free between two streams of a block, a multiple of the cache line */
};

/* Runs all points in order. Returns 0, or -1 with the reason: a CPU that cannot be pinned to, too little memory, a
 * region that LIKWID refuses. */
int team_run(const struct team *team, struct error *error);

#endif
