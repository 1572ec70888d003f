/* private.h - snoops of a core's private caches, for physical lines (frames.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_PRIVATE_H
#define ASSAY_SIM_PRIVATE_H

#include "hardware.h"

/* Snoops change the core's copies: `share` to S, `drop` to I. Return the strongest state before. `code`: L1I may have
 * the line too. */
enum private_state private_share(struct sim_core *core, uint64_t line, int code);
enum private_state private_drop(struct sim_core *core, uint64_t line, int code);

/* Whether L1 has the line that L2 had in this word. */
int private_keeps(const struct sim_core *core, uint64_t word, int code);

/* Nonzero if L1D, or with `code` L1I, has the line; if any of the core's caches has it. */
int private_in_l1(const struct sim_core *core, uint64_t line, int code);
int private_has(const struct sim_core *core, uint64_t line);

static inline enum private_state private_better(enum private_state a, enum private_state b) {
    return a > b ? a : b;
}

/* The answer of a snooped core that had the line in state `found`. */
static inline enum sim_snoop snoop_answer(enum private_state found) {
    if (found == PRIVATE_M)
        return SNOOP_HITM;
    return found == PRIVATE_I ? SNOOP_MISS : SNOOP_HIT;
}

static inline enum sim_snoop stronger_snoop(enum sim_snoop a, enum sim_snoop b) {
    return a > b ? a : b;
}

#endif
