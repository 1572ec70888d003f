/* noise.h - counts that a busy machine adds: a virtual node alone on its host is quieter than any real one.
 *
 * Kinds, each drawn from the seed of the run (fault_file.h), and their sizes by level (docs/noise.md: sources):
 *   jitter     every counting interval varies by a normally distributed share
 *   timer      interrupts at a fixed mean rate; each adds one count to a fixed counter, the interrupted instruction
 *   walks      page walks at a fixed mean rate: translations that daemons evicted
 *   traffic    lines of others at a fixed mean rate, in every box
 *   burst      in some runs another program's traffic adds a share to the counts of all boxes
 *   preempted  in some runs another program runs on a core: a share more in all its counters
 * The last two raise all events of a run together, as on a real machine; independent draws would be counters' faults.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NOISE_H
#define ASSAY_PMU_NOISE_H

#include "fault.h"

enum noise_level { NOISE_NONE, NOISE_QUIET, NOISE_BUSY };

/* The level of that name; NOISE_NONE: there is none. */
enum noise_level noise_of_name(const char *name);

/* The interval's count with noise; at->faults has a level. Does not decrease while `counted` and `at->elapsed` grow. */
double noise_count(const struct programmed *at, uint32_t interval, double counted);

#endif
