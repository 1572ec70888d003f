/* wrong_path.c - speculative branches on the wrong path, until the misprediction resolves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "wrong_path.h"

size_t wrong_path_bytes(void) {
    return WRONG_PATH_PLACES * sizeof(struct wrong_path_place);
}

void wrong_path_init(struct wrong_path *wrong_path, void *memory) {
    wrong_path->places = memory;
    wrong_path->start = 0;
}

static struct wrong_path_place *known_place(const struct wrong_path *wrong_path, uint64_t start) {
    return &wrong_path->places[predictor_place(start, WRONG_PATH_PLACES)];
}

static uint64_t reach_of(const struct sim_core *core) {
    return (uint64_t)core->branch_penalty * WRONG_PATH_FETCH;
}

void wrong_path_learn(struct sim_core *core, const struct branch *branch, uint64_t follower) {
    uint64_t start = core->wrong_path.start;
    core->wrong_path.start = follower;
    /* Skips branches beyond the reach or before the start: a signal or another thread came between. */
    if (branch->next != start && branch->next - start <= reach_of(core))
        *known_place(&core->wrong_path, start) = (struct wrong_path_place){start, *branch};
}

/* All kinds but conditional branches, which count by direction. */
static const int speculative[] = {[BRANCH_JUMP] = CORE_BEGUN_JUMP,
                                  [BRANCH_INDIRECT] = CORE_BEGUN_INDIRECT,
                                  [BRANCH_CALL] = CORE_BEGUN_CALL,
                                  [BRANCH_RETURN] = CORE_BEGUN_RETURN,
                                  [BRANCH_CALL_INDIRECT] = CORE_BEGUN_CALL_INDIRECT};

void wrong_path_follow(struct sim_core *core, uint64_t start, uint32_t history) {
    uint64_t left = reach_of(core);
    for (;;) {
        const struct wrong_path_place *place = known_place(&core->wrong_path, start);
        const struct branch *branch = &place->branch;
        if (place->start != start || branch->next == 0 || branch->next - start > left)
            return;
        left -= branch->next - start;
        if (branch->kind == BRANCH_CONDITIONAL) {
            int taken = predictor_taken(&core->predictor, branch->address, history);
            history = predictor_history(history, taken);
            core->total[taken ? CORE_BEGUN_TAKEN : CORE_BEGUN_NOT_TAKEN]++;
            start = taken ? branch->target : branch->next;
        } else {
            core->total[speculative[branch->kind]]++;
            if (branch->kind != BRANCH_JUMP && branch->kind != BRANCH_CALL)
                return;
            start = branch->target;
        }
    }
}
