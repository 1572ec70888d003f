/* wrong_path.c - speculative branches on the wrong path, until the misprediction resolves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "wrong_path.h"

#include "trace_word.h"

size_t wrong_path_bytes(void) {
    return WRONG_PATH_PLACES * sizeof(struct wrong_path_place);
}

void wrong_path_init(struct wrong_path *wrong_path, void *memory) {
    wrong_path->places = memory;
    wrong_path->start = 0;
}

/* All kinds but conditional branches, which count by direction. */
static const int speculative[] = {[BRANCH_JUMP] = CORE_BEGUN_JUMP,
                                  [BRANCH_INDIRECT] = CORE_BEGUN_INDIRECT,
                                  [BRANCH_CALL] = CORE_BEGUN_CALL,
                                  [BRANCH_RETURN] = CORE_BEGUN_RETURN,
                                  [BRANCH_CALL_INDIRECT] = CORE_BEGUN_CALL_INDIRECT};

void wrong_path_follow(struct sim_core *core, uint64_t start, uint32_t history) {
    uint64_t left = core->wrong_path_bytes;
    for (;;) {
        const struct wrong_path_place *place = wrong_path_place(&core->wrong_path, start);
        uint64_t word = place->word, next = place->next;
        if (place->start != start || next == 0 || next - start > left)
            return;
        left -= next - start;
        uint32_t kind = trace_what(word);
        uint64_t target = trace_address(word);
        if (kind == BRANCH_CONDITIONAL) {
            /* A jump, with the history in each arm: the host goes on while it waits for the prediction. */
            if (predictor_taken(&core->predictor, trace_branch_address(word, next), history)) {
                history = predictor_history(history, 1);
                core->total[CORE_BEGUN_TAKEN]++;
                start = target;
            } else {
                history = predictor_history(history, 0);
                core->total[CORE_BEGUN_NOT_TAKEN]++;
                start = next;
            }
        } else {
            core->total[speculative[kind]]++;
            if (kind != BRANCH_JUMP && kind != BRANCH_CALL)
                return;
            start = target;
        }
    }
}
