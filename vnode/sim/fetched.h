/* fetched.h - runs of instructions that a core fetches again and again.
 *
 * Such a run hits in L1I and the instruction TLB until one of them loses something, which is rare. So a core keeps the
 * runs that hit since then, and fetching one of them again only changes the run's time stamp (near.h). The stamps of
 * its lines and page follow before L1I or the TLB choose a victim: fetched_settle().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_FETCHED_H
#define ASSAY_SIM_FETCHED_H

#include "hardware.h"
#include "trace_word.h"

/* Lines of a run, from the first to the last. */
struct run_lines {
    uint64_t first, last;
};

/* Of the run of this word (trace_word.h), here and below. */
static inline struct run_lines fetched_lines(const struct sim_core *core, uint64_t word) {
    return (struct run_lines){trace_address(word) >> core->line_shift,
                              (trace_end_of_run(word) - 1) >> core->line_shift};
}

/* A run that is in its place hits, and the caller gives it a new stamp. */
static inline struct fetched_run *fetched_place(struct sim_core *core, uint64_t word) {
    return &core->fetched.run[spread((uint32_t)trace_address(word), FETCHED_BITS)];
}

/* Whether it pays to keep a run: nothing was lost for long. */
static inline int fetched_pays(const struct sim_core *core, uint64_t stamp) {
    return stamp - core->fetched.since > core->fetched.quiet;
}

/* Nonzero if L1I and the instruction TLB have the line, which is then the most recent one. */
int fetched_touch(struct sim_core *core, uint64_t line);

/* All lines of the run just hit: keeps it. */
void fetched_keep(struct sim_core *core, uint64_t word);

/* L1I or the instruction TLB loses something, or is about to choose a victim: from now on no run is known to hit. */
void fetched_settle(struct sim_core *core);

#endif
