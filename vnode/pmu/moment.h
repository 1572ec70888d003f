/* moment.h - a consistent snapshot (a moment) of the counts of all processes but the client.
 *
 * LIKWID reads one counter after the other while other processes of the node run on. Ratios of counts from different
 * moments are meaningless, so all counters that a client reads in one pass show the same moment, on all cores and
 * boxes. A new moment is taken
 * - when a counter already used at this moment is read again or stopped: the next pass begins;
 * - when a stopped counter is programmed: counting is about to start;
 * - when the client sleeps, or is silent for long (daemon.c).
 * Reading or starting a counter uses it. So one pass of LIKWID over its counters, to read or to start them, falls
 * into one moment, whether or not it freezes them.
 *
 * Taking a moment waits, about a millisecond, until each running process rests (vnode/node_file.h). A process that
 * does not rest, because it was stopped or killed, is read as it is after a timeout.
 *
 * The client's own counts are exact at each of its messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_MOMENT_H
#define ASSAY_PMU_MOMENT_H

#include <stdint.h>

#include "node_view.h"

enum { MOMENT_KEYS = 1 << 16 };

struct moment {
    struct sim_counts sum;      /* all processes but the client, including ended ones */
    uint32_t number;            /* number of this moment; 0: none yet */
    uint32_t holds;             /* 0: the next reading takes a new one */
    uint32_t folds, measures;   /* the node's values when it was taken */
    uint32_t of_others;         /* 1: there were other processes */
    uint32_t used[MOMENT_KEYS]; /* by counter: the moment of its last use */
};

/* `moment` may be NULL in all functions: totals are then current. */

/* Call before a counter is read or stopped; `key`: any unique number below MOMENT_KEYS. If the counter was used at
 * this moment, the next reading takes a new one. */
void moment_stops(struct moment *moment, uint32_t key);

/* Call after a counter was read or started. */
void moment_uses(struct moment *moment, uint32_t key);

/* Makes the next reading take a new moment. */
void moment_ends(struct moment *moment);

/* Takes a moment if there is none; call it before the node is locked to read totals. */
void moment_take(const struct node_view *view);

#endif
