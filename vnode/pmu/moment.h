/* moment.h - what the node's processes other than the client have counted, at one moment.
 *
 * LIKWID reads counter by counter, and the node's other processes run on meanwhile. Quotients of counts read at
 * different moments mean nothing: so all counters that a client reads in one go show one moment. A moment holds for all
 * cores and boxes. The next one is taken
 * - when a counter that has been used at this moment is read again or stopped: the next reading begins;
 * - when a counter that stands is programmed: counting is about to start;
 * - when the client sleeps, or is silent for long (daemon.c).
 * A counter is used when it is read and when it starts. So what LIKWID sends for one reading of all its counters, or to
 * start them all, falls into one moment, with or without freezing them meanwhile.
 *
 * Taking a moment waits until each running process rests (vnode/node_file.h): a millisecond or so. One that does not
 * come to rest, because it was stopped or killed, is taken as it is after a while.
 *
 * The client itself is not concerned: its counts are exact at each of its messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_MOMENT_H
#define ASSAY_PMU_MOMENT_H

#include <stdint.h>

#include "node_view.h"

enum { MOMENT_KEYS = 1 << 16 };

struct moment {
    struct sim_counts sum;      /* over all processes but the client, ended ones included */
    uint32_t number;            /* of this moment; 0: none was taken yet */
    uint32_t holds;             /* 0: the next reading needs another one */
    uint32_t folds, measures;   /* the node's, when it was taken */
    uint32_t of_others;         /* 1: other processes were there */
    uint32_t used[MOMENT_KEYS]; /* by counter: number of the moment at which it was used last */
};

/* In all functions `moment` may be NULL: totals are those of now. */

/* A counter, by any number of its own below MOMENT_KEYS, is about to be read or stopped: the next reading takes another
 * moment if the counter was used at this one. */
void moment_stops(struct moment *moment, uint32_t key);

/* It has been read or started. */
void moment_uses(struct moment *moment, uint32_t key);

/* The next reading takes another moment. */
void moment_ends(struct moment *moment);

/* Makes sure that there is a moment: call before the node is locked to read totals. */
void moment_take(const struct node_view *view);

#endif
