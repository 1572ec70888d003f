/* branch.c - retired branches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "branch.h"

#include "cycles.h"
#include "pipeline.h"
#include "sim.h"

void branch_mispredicted(struct sim_core *core, uint64_t wrong, uint32_t taken) {
    uint64_t *total = core->total;
    total[CORE_MISPREDICTED]++;
    total[CORE_MISPREDICTED_CONDITIONAL]++;
    total[CORE_MISPREDICTED_TAKEN] += taken;
    pipeline_await_flags(core);
    clock_add(core, core->branch_penalty);
    wrong_path_follow(core, wrong, core->predictor.history ^ 1);
}

void branch_count(struct sim_core *core, uint64_t branches, uint64_t taken) {
    uint64_t *total = core->total;
    total[CORE_BRANCHES] += branches;
    total[CORE_BRANCHES_CONDITIONAL] += branches;
    total[CORE_BRANCHES_TAKEN] += taken;
    total[CORE_BRANCHES_NOT_TAKEN] += branches - taken;
}

void branch_target_mispredicted(struct sim_core *core, enum sim_core_count count) {
    core->total[CORE_MISPREDICTED]++;
    core->total[count]++;
    core->total[CORE_MISPREDICTED_TAKEN]++;
    clock_add(core, core->branch_penalty);
}

void branch_settle(struct sim_core *core) {
    static const uint8_t count[] = {[BRANCH_INDIRECT] = CORE_BRANCHES_INDIRECT,
                                    [BRANCH_CALL] = CORE_BRANCHES_CALL,
                                    [BRANCH_CALL_INDIRECT] = CORE_BRANCHES_CALL,
                                    [BRANCH_RETURN] = CORE_BRANCHES_RETURN};
    uint64_t *total = core->total;
    total[CORE_BRANCHES_CALL_INDIRECT] += core->branched[BRANCH_CALL_INDIRECT];
    for (uint32_t kind = BRANCH_JUMP; kind <= BRANCH_RETURN; kind++) {
        uint64_t branches = core->branched[kind];
        total[CORE_BRANCHES] += branches;
        total[CORE_BRANCHES_TAKEN] += branches;
        if (kind != BRANCH_JUMP)
            total[count[kind]] += branches;
        core->branched[kind] = 0;
    }
}

void sim_branch(struct sim_core *core, uint64_t address, enum sim_branch_kind kind, int taken, uint64_t target,
                uint64_t fall_through) {
    uint64_t word = trace_word(target, trace_branch(kind, fall_through - address));
    if (kind != BRANCH_CONDITIONAL) {
        branch_other(core, word, fall_through);
        branch_settle(core);
        return;
    }
    branch_count(core, 1, (uint64_t)taken);
    branch_conditional(core, word | (uint64_t)taken << TRACE_TAKEN, fall_through);
}
