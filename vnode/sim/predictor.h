/* predictor.h - the branch predictor of a core.
 *
 * Direction: gshare, 2^14 two-bit counters indexed by branch address xor the last 12 directions. Unused counters
 * predict weakly taken, so a new loop is predicted from its first iteration. Targets: indirect jumps and calls by
 * their last target (512 entries, direct mapped, tagged); returns by a stack of 16; direct jumps and calls are always
 * correct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_PREDICTOR_H
#define ASSAY_SIM_PREDICTOR_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

enum { PREDICTOR_COUNTERS = 1 << 14, PREDICTOR_HISTORY = 12, PREDICTOR_TARGETS = 512, PREDICTOR_RETURNS = 16 };

struct predictor_target {
    uint64_t address, target;
};

struct predictor {
    uint8_t *counters; /* 0..3, 2 and 3 predict taken; stored xor 2, so zeroed memory is weakly taken */
    struct predictor_target *targets;
    uint64_t returns[PREDICTOR_RETURNS];
    uint32_t top; /* returns pushed, modulo the stack's size */
    uint32_t history;
};

/* Bytes of zeroed memory that one predictor needs. */
size_t predictor_bytes(void);
void predictor_init(struct predictor *predictor, void *memory);

/* Index of an address in a direct mapped table. */
static inline size_t predictor_place(uint64_t address, size_t entries) {
    return (address ^ address >> 9) % entries;
}

/* `history` with one more direction. Those before the last PREDICTOR_HISTORY do not matter. */
static inline uint32_t predictor_history(uint32_t history, uint32_t taken) {
    return history << 1 | taken;
}

/* The history is in the upper bits of the index, where the addresses of a function differ least. */
static inline uint32_t predictor_index(uint64_t address, uint32_t history) {
    _Static_assert(PREDICTOR_COUNTERS == 1 << (PREDICTOR_HISTORY + 2), "older directions do not reach the index");
    return (uint32_t)(address ^ (uint64_t)history << 2) & (PREDICTOR_COUNTERS - 1);
}

/* Predicts a conditional branch after the directions in `history` (lowest bit: the last). Does not train. */
static inline int predictor_taken(const struct predictor *predictor, uint64_t address, uint32_t history) {
    return !(predictor->counters[predictor_index(address, history)] >> 1);
}

/* Predicts a conditional branch and trains with its outcome. Nonzero if it was mispredicted. */
static inline int predictor_direction(struct predictor *predictor, uint64_t address, uint32_t taken) {
    static const uint8_t trained[2][4] = {{3, 0, 2, 2}, {1, 1, 3, 0}}; /* by outcome and counter, as stored */
    uint32_t history = predictor->history;
    uint8_t *counter = &predictor->counters[predictor_index(address, history)];
    uint32_t before = *counter;
    predictor->history = predictor_history(history, taken);
    *counter = trained[taken][before];
    return before >> 1 == taken;
}

/* Predicts the target of a branch of another kind and trains. Nonzero if it was mispredicted. */
static inline int predictor_target(struct predictor *predictor, uint64_t address, enum sim_branch_kind kind,
                                   uint64_t target, uint64_t fall_through) {
    if (kind == BRANCH_JUMP)
        return 0;
    if (kind == BRANCH_RETURN)
        return predictor->returns[--predictor->top % PREDICTOR_RETURNS] != target;
    if (kind == BRANCH_CALL || kind == BRANCH_CALL_INDIRECT)
        predictor->returns[predictor->top++ % PREDICTOR_RETURNS] = fall_through;
    if (kind == BRANCH_CALL)
        return 0;
    struct predictor_target *entry = &predictor->targets[predictor_place(address, PREDICTOR_TARGETS)];
    int mispredicted = entry->address != address || entry->target != target;
    *entry = (struct predictor_target){address, target};
    return mispredicted;
}

#endif
