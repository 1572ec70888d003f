/* team.h - the threads of the stream program: one per hardware thread asked for, the calling thread is the first.
 *
 * For each point every thread fills the streams of its own block (first touch), sweeps over them once, and then runs
 * the kernel inside the point's region. A point of the same kernel and as many elements as the one before it goes on
 * with its data: no first touch, no sweep before the region. In a team of one there is nothing between start and stop
 * but the sweeps and the store fence after them. In a larger team there are two barriers, too: after the start, so that
 * whoever reads the socket's counters has read them before anybody makes traffic, and before the stop, so that all
 * traffic is made when they are read again. The barriers sleep, they do not spin; what they cost is what an empty
 * region counts. */
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
