/* predictor.c - the branch predictor of a core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "predictor.h"

enum { STORED_XOR = 2, TAKEN_FROM = 2, COUNTER_MAX = 3 };

size_t predictor_bytes(void) {
    return PREDICTOR_COUNTERS + PREDICTOR_TARGETS * sizeof(struct predictor_target);
}

void predictor_init(struct predictor *predictor, void *memory) {
    predictor->targets = memory;
    predictor->counters = (uint8_t *)(predictor->targets + PREDICTOR_TARGETS);
    predictor->top = 0;
    predictor->history = 0;
}

/* The history is in the upper bits of the index, where the addresses of a function differ least. */
static uint32_t index_of(uint64_t address, uint32_t history) {
    return (uint32_t)(address ^ (uint64_t)history << 2) & (PREDICTOR_COUNTERS - 1);
}

int predictor_taken(const struct predictor *predictor, uint64_t address, uint32_t history) {
    return (predictor->counters[index_of(address, history)] ^ STORED_XOR) >= TAKEN_FROM;
}

static int direction(struct predictor *predictor, uint64_t address, int taken) {
    uint32_t index = index_of(address, predictor->history);
    int counter = predictor->counters[index] ^ STORED_XOR;
    int mispredicted = (counter >= TAKEN_FROM) != taken;
    if (taken && counter < COUNTER_MAX)
        counter++;
    else if (!taken && counter > 0)
        counter--;
    predictor->counters[index] = (uint8_t)(counter ^ STORED_XOR);
    predictor->history = predictor_history(predictor->history, taken);
    return mispredicted;
}

static int last_target(struct predictor *predictor, uint64_t address, uint64_t target) {
    struct predictor_target *entry = &predictor->targets[predictor_place(address, PREDICTOR_TARGETS)];
    int mispredicted = entry->address != address || entry->target != target;
    *entry = (struct predictor_target){address, target};
    return mispredicted;
}

static void push_return(struct predictor *predictor, uint64_t address) {
    predictor->returns[predictor->top++ % PREDICTOR_RETURNS] = address;
}

static int pop_return(struct predictor *predictor, uint64_t target) {
    return predictor->returns[--predictor->top % PREDICTOR_RETURNS] != target;
}

int predictor_branch(struct predictor *predictor, uint64_t address, enum sim_branch_kind kind, int taken,
                     uint64_t target, uint64_t fall_through) {
    switch (kind) {
    case BRANCH_CONDITIONAL:
        return direction(predictor, address, taken != 0);
    case BRANCH_JUMP:
        return 0;
    case BRANCH_INDIRECT:
        return last_target(predictor, address, target);
    case BRANCH_CALL:
        push_return(predictor, fall_through);
        return 0;
    case BRANCH_CALL_INDIRECT:
        push_return(predictor, fall_through);
        return last_target(predictor, address, target);
    case BRANCH_RETURN:
        return pop_return(predictor, target);
    }
    return 0;
}
