/* branch.c - counts and costs of retired branches.
 *
 * A function for each kind: what depends on the kind is decided at compile time, and a branch's outcome selects values,
 * not ways through the code, because the host cannot predict it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cycles.h"
#include "pipeline.h"
#include "sim.h"
#include "wrong_path.h"

static __attribute__((noinline)) void mispredict_conditional(struct sim_core *core, uint64_t wrong, int taken) {
    uint64_t *total = core->total;
    total[CORE_MISPREDICTED]++;
    total[CORE_MISPREDICTED_CONDITIONAL]++;
    total[CORE_MISPREDICTED_TAKEN] += (uint64_t)taken;
    pipeline_await_flags(core);
    clock_add(core, core->branch_penalty);
    wrong_path_follow(core, wrong, core->predictor.history ^ 1);
}

static __attribute__((noinline)) void mispredict_target(struct sim_core *core, enum sim_core_count count) {
    core->total[CORE_MISPREDICTED]++;
    core->total[count]++;
    core->total[CORE_MISPREDICTED_TAKEN]++;
    clock_add(core, core->branch_penalty);
}

static void conditional(struct sim_core *core, uint64_t address, uint64_t target, uint64_t fall_through, int taken) {
    uint64_t *total = core->total;
    total[CORE_BRANCHES]++;
    total[CORE_BRANCHES_CONDITIONAL]++;
    total[CORE_BRANCHES_TAKEN] += (uint64_t)taken;
    total[CORE_BRANCHES_NOT_TAKEN] += (uint64_t)!taken;
    wrong_path_learn(core, address, BRANCH_CONDITIONAL, target, fall_through, taken ? target : fall_through);
    if (predictor_direction(&core->predictor, address, taken))
        mispredict_conditional(core, taken ? fall_through : target, taken);
}

/* All other kinds, always taken. */
static inline __attribute__((always_inline)) void unconditional(struct sim_core *core, uint64_t address,
                                                                enum sim_branch_kind kind, uint64_t target,
                                                                uint64_t fall_through) {
    static const uint8_t count[] = {[BRANCH_CALL] = CORE_BRANCHES_CALL,
                                    [BRANCH_CALL_INDIRECT] = CORE_BRANCHES_CALL,
                                    [BRANCH_INDIRECT] = CORE_BRANCHES_INDIRECT,
                                    [BRANCH_RETURN] = CORE_BRANCHES_RETURN};
    uint64_t *total = core->total;
    total[CORE_BRANCHES]++;
    total[CORE_BRANCHES_TAKEN]++;
    if (kind != BRANCH_JUMP)
        total[count[kind]]++;
    if (kind == BRANCH_CALL_INDIRECT)
        total[CORE_BRANCHES_CALL_INDIRECT]++;
    wrong_path_learn(core, address, kind, target, fall_through, target);
    if (predictor_target(&core->predictor, address, kind, target, fall_through))
        mispredict_target(core, kind == BRANCH_RETURN ? CORE_MISPREDICTED_RETURN : CORE_MISPREDICTED_INDIRECT);
}

#define UNCONDITIONAL(name, kind)                                                                                      \
    static void name(struct sim_core *core, uint64_t address, uint64_t target, uint64_t fall_through, int taken) {     \
        (void)taken;                                                                                                   \
        unconditional(core, address, kind, target, fall_through);                                                      \
    }
UNCONDITIONAL(jump, BRANCH_JUMP)
UNCONDITIONAL(indirect, BRANCH_INDIRECT)
UNCONDITIONAL(call, BRANCH_CALL)
UNCONDITIONAL(call_indirect, BRANCH_CALL_INDIRECT)
UNCONDITIONAL(return_, BRANCH_RETURN)

sim_branch_function *const sim_branch_of[] = {[BRANCH_CONDITIONAL] = conditional,     [BRANCH_JUMP] = jump,
                                              [BRANCH_INDIRECT] = indirect,           [BRANCH_CALL] = call,
                                              [BRANCH_CALL_INDIRECT] = call_indirect, [BRANCH_RETURN] = return_};

void sim_branch(struct sim_core *core, uint64_t address, enum sim_branch_kind kind, int taken, uint64_t target,
                uint64_t fall_through) {
    sim_branch_of[kind](core, address, target, fall_through, taken);
}
