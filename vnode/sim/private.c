/* private.c - snoops of a core's private caches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "private.h"

#include "fetched.h"
#include "frames.h"

/* `word`: of the line in one of its caches, or NULL. */
static enum private_state share(uint64_t *word, uint64_t line) {
    if (!word)
        return PRIVATE_I;
    enum private_state state = cache_state(*word);
    *word = cache_word(line, PRIVATE_S);
    return state;
}

enum private_state private_share(struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    enum private_state data = share(near_peek(&core->l1d, in_l1), in_l1);
    core->lost += data != PRIVATE_I;
    data = private_better(data, share(cache_peek(&core->l2, line), line));
    return code ? private_better(data, share(near_peek(&core->l1i, in_l1), in_l1)) : data;
}

enum private_state private_drop(struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    enum private_state best = near_remove(&core->l1d, in_l1);
    core->lost += best != PRIVATE_I;
    if (cache_may_have(&core->l2, line)) /* most often it no longer has a line that the last level evicts */
        best = private_better(best, cache_remove(&core->l2, line));
    if (code && near_remove(&core->l1i, in_l1) != PRIVATE_I) {
        fetched_settle(core);
        best = private_better(best, PRIVATE_S);
    }
    return best;
}

inline int private_in_l1(const struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    return near_peek(&core->l1d, in_l1) || (code && near_peek(&core->l1i, in_l1));
}

inline int private_keeps(const struct sim_core *core, uint64_t word, int code) {
    if (!(word & CACHE_NOT_IN_L1D))
        return private_in_l1(core, cache_key(word), code);
    return code && near_peek(&core->l1i, frames_program_line(core->sim, cache_key(word)));
}

int private_has(const struct sim_core *core, uint64_t line) {
    return cache_peek(&core->l2, line) || private_in_l1(core, line, 1);
}
