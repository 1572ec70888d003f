/* private.c - snoops of a core's private caches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "private.h"

#include "frames.h"

static enum private_state share_in(struct cache *cache, uint64_t line) {
    uint64_t *word = cache_peek(cache, line);
    if (!word)
        return PRIVATE_I;
    enum private_state state = cache_state(*word);
    *word = cache_word(line, PRIVATE_S);
    return state;
}

/* L1D had the program's line in this state, and has lost it or its ownership. */
static enum private_state disturb(struct sim_core *core, uint64_t line, enum private_state state) {
    if (state != PRIVATE_I)
        core->disturbed |= sim_set_bit(core, line);
    return state;
}

enum private_state private_share(struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    enum private_state data = disturb(core, in_l1, share_in(&core->l1d, in_l1));
    data = private_better(data, share_in(&core->l2, line));
    return code ? private_better(data, share_in(&core->l1i, in_l1)) : data;
}

static __attribute__((noinline)) enum private_state drop(struct sim_core *core, uint64_t line, uint64_t in_l1) {
    enum private_state best = disturb(core, in_l1, cache_remove(&core->l1d, in_l1));
    best = private_better(best, cache_remove(&core->l2, line));
    if (cache_remove(&core->l1i, in_l1) != PRIVATE_I) {
        *core->sim->code_watch = 0;
        best = private_better(best, PRIVATE_S);
    }
    return best;
}

/* Most often the core no longer has a line that its last level evicts. */
enum private_state private_drop(struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    if (!cache_may_have(&core->l1d, in_l1) && !cache_may_have(&core->l2, line) &&
        !(code && cache_may_have(&core->l1i, in_l1)))
        return PRIVATE_I;
    return drop(core, line, in_l1);
}

inline int private_in_l1(const struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    return cache_has(&core->l1d, in_l1) || (code && cache_has(&core->l1i, in_l1));
}

inline int private_keeps(const struct sim_core *core, uint64_t word, int code) {
    if (!(word & CACHE_NOT_IN_L1D))
        return private_in_l1(core, cache_key(word), code);
    return code && cache_has(&core->l1i, frames_program_line(core->sim, cache_key(word)));
}

int private_has(const struct sim_core *core, uint64_t line) {
    return cache_peek(&core->l2, line) || private_in_l1(core, line, 1);
}
