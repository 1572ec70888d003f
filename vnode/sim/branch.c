/* branch.c - counts and costs of retired branches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock.h"
#include "sim.h"
#include "wrong_path.h"

void sim_branch(struct sim_core *core, uint64_t address, enum sim_branch_kind kind, int taken, uint64_t target,
                uint64_t fall_through) {
    uint64_t *total = core->total;
    total[CORE_BRANCHES]++;
    if (taken)
        total[CORE_BRANCHES_TAKEN]++;
    if (kind == BRANCH_CONDITIONAL) {
        total[CORE_BRANCHES_CONDITIONAL]++;
        if (!taken)
            total[CORE_BRANCHES_NOT_TAKEN]++;
    } else if (kind == BRANCH_CALL || kind == BRANCH_CALL_INDIRECT) {
        total[CORE_BRANCHES_CALL]++;
        total[CORE_BRANCHES_CALL_INDIRECT] += kind == BRANCH_CALL_INDIRECT;
    } else if (kind == BRANCH_RETURN) {
        total[CORE_BRANCHES_RETURN]++;
    } else if (kind == BRANCH_INDIRECT) {
        total[CORE_BRANCHES_INDIRECT]++;
    }
    int mispredicted = predictor_branch(&core->predictor, address, kind, taken, target, fall_through);
    const struct branch branch = {address, target, fall_through, kind};
    wrong_path_learn(core, &branch, taken ? target : fall_through);
    if (!mispredicted)
        return;
    total[CORE_MISPREDICTED]++;
    if (kind == BRANCH_CONDITIONAL) {
        total[CORE_MISPREDICTED_CONDITIONAL]++;
        wrong_path_follow(core, taken ? fall_through : target, core->predictor.history ^ 1);
    } else {
        total[kind == BRANCH_RETURN ? CORE_MISPREDICTED_RETURN : CORE_MISPREDICTED_INDIRECT]++;
    }
    if (taken)
        total[CORE_MISPREDICTED_TAKEN]++;
    clock_add(core, core->branch_penalty);
}
