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

enum private_state private_share(struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    core->disturbed = ~UINT64_C(0);
    enum private_state data = private_better(share_in(&core->l1d, in_l1), share_in(&core->l2, line));
    return code ? private_better(data, share_in(&core->l1i, in_l1)) : data;
}

enum private_state private_drop(struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    core->disturbed = ~UINT64_C(0);
    enum private_state best = private_better(cache_remove(&core->l1d, in_l1), cache_remove(&core->l2, line));
    if (code && cache_remove(&core->l1i, in_l1) != PRIVATE_I) {
        *core->sim->code_watch = 0;
        best = private_better(best, PRIVATE_S);
    }
    return best;
}

int private_in_l1(const struct sim_core *core, uint64_t line, int code) {
    uint64_t in_l1 = frames_program_line(core->sim, line);
    return cache_peek(&core->l1d, in_l1) || (code && cache_peek(&core->l1i, in_l1));
}

int private_has(const struct sim_core *core, uint64_t line) {
    return cache_peek(&core->l2, line) || private_in_l1(core, line, 1);
}
