/* branch.h - retired branches: their counts, prediction, wrong path and time.
 *
 * A branch is a word of a trace (trace.h). `next`: the address behind it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_BRANCH_H
#define ASSAY_SIM_BRANCH_H

#include "trace_word.h"
#include "wrong_path.h"

/* A conditional branch was mispredicted; `wrong`: where the core went. */
void branch_mispredicted(struct sim_core *core, uint64_t wrong, uint32_t taken);

/* A conditional branch, but for the counts that branch_count() adds. */
static inline void branch_conditional(struct sim_core *core, uint64_t word, uint64_t next) {
    uint64_t target = trace_address(word);
    uint32_t taken = trace_taken(word);
    wrong_path_learn(core, word, next, taken ? target : next);
    if (predictor_direction(&core->predictor, trace_branch_address(word, next), taken))
        branch_mispredicted(core, taken ? next : target, taken);
}

/* Counts conditional branches, and how many of them were taken. */
void branch_count(struct sim_core *core, uint64_t branches, uint64_t taken);

/* A branch of another kind was mispredicted; `count`: CORE_MISPREDICTED_RETURN or _INDIRECT. */
void branch_target_mispredicted(struct sim_core *core, enum sim_core_count count);

/* A branch of another kind, which is always taken. */
static inline __attribute__((always_inline)) void branch_other(struct sim_core *core, uint64_t word, uint64_t next) {
    enum sim_branch_kind kind = (enum sim_branch_kind)trace_what(word);
    uint64_t target = trace_address(word);
    core->branched[kind]++;
    wrong_path_learn(core, word, next, target);
    if (predictor_target(&core->predictor, trace_branch_address(word, next), kind, target, next))
        branch_target_mispredicted(core, kind == BRANCH_RETURN ? CORE_MISPREDICTED_RETURN : CORE_MISPREDICTED_INDIRECT);
}

/* Counts what branch_other() has retired. Before anybody reads the totals, or the core executes another thread. */
void branch_settle(struct sim_core *core);

#endif
