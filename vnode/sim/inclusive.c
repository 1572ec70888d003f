/* inclusive.c - a domain with an inclusive last level.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "inclusive.h"

#include "memory.h"
#include "private.h"

/* Not inline: its loop would take the registers of those who fill the last level. */
static __attribute__((noinline, flatten)) enum sim_snoop drop_in_cores(const struct domain *domain, uint32_t sharers,
                                                                       uint64_t line, int code) {
    enum sim_snoop snoop = SNOOP_NONE;
    for (; sharers; sharers &= sharers - 1)
        snoop = stronger_snoop(snoop, snoop_answer(private_drop(core_of_bit(domain, sharers), line, code)));
    return snoop;
}

enum sim_snoop inclusive_invalidate(const struct domain *domain, const struct l3_place *place, uint32_t sharers,
                                    uint64_t line) {
    return sharers ? drop_in_cores(domain, sharers, line, l3_fetched(place)) : SNOOP_NONE;
}

enum sim_snoop inclusive_ask_owner(const struct domain *domain, const struct l3_place *place, uint64_t line,
                                   uint32_t reader) {
    struct l3_set *set = place->set;
    uint32_t sharers = set->sharers[place->way];
    if (!line_owned(set->state[place->way]) || !one_other(sharers, reader))
        return SNOOP_NONE;
    enum private_state found = private_share(core_of_bit(domain, sharers), line, l3_fetched(place));
    if (found == PRIVATE_I)
        set->sharers[place->way] = 0;
    if (found == PRIVATE_M)
        set->state[place->way] = LINE_M;
    return snoop_answer(found);
}

/* Evicts the line of `place`, if any. It counts as M if it was modified anywhere in the domain. */
static inline void make_room(struct domain *domain, const struct l3_place *place) {
    struct l3_set *set = place->set;
    enum sim_line_state state = (enum sim_line_state)set->state[place->way];
    if (state == LINE_I)
        return;
    uint64_t line = l3_line(&domain->l3, place);
    if (inclusive_invalidate(domain, place, set->sharers[place->way], line) == SNOOP_HITM)
        state = LINE_M;
    domain->slices[place->set->slice].victims[state]++;
    if (line_modified(state))
        memory_write(domain->sim, set->home[place->way], line, domain->socket, 0);
}

inline void inclusive_fill(struct domain *domain, const struct l3_place *place, enum sim_line_state state,
                           uint32_t home, uint32_t sharers) {
    make_room(domain, place);
    l3_fill(place, state, home, sharers);
}

void inclusive_writeback(struct sim_core *core, uint64_t word) {
    struct domain *domain = core->domain;
    struct l3_place place = cache_place(word) ? l3_place_in(&domain->l3, cache_key(word), (int)cache_place(word) - 1)
                                              : l3_find_present(&domain->l3, cache_key(word));
    struct sim_slice_counts *slice = &domain->slices[place.set->slice];
    slice->lookups[LOOKUP_WRITE][place.set->state[place.way]]++;
    slice->requests[REQUEST_WRITEBACK][LINE_KNOWN][domain_distance(domain, place.set->home[place.way])]++;
    place.set->state[place.way] = LINE_M;
    if (!private_keeps(core, word, l3_fetched(&place)))
        place.set->sharers[place.way] &= ~(uint32_t)core->bit;
}

void inclusive_fetched(struct sim_core *core, uint64_t line) {
    struct l3_place place = l3_find_present(&core->domain->l3, line);
    place.set->fetched |= 1U << place.way;
}

static struct l3_place snooped_place(const struct domain *domain, uint64_t line) {
    struct l3_place place = l3_find(&domain->l3, line);
    enum sim_line_state state = place.way < 0 ? LINE_I : (enum sim_line_state)place.set->state[place.way];
    domain->slices[place.set->slice].lookups[LOOKUP_REMOTE_SNOOP][state]++;
    return place;
}

struct domain_answer inclusive_snoop_read(struct domain *domain, uint64_t line) {
    struct l3_place place = snooped_place(domain, line);
    if (place.way < 0)
        return (struct domain_answer){SNOOP_MISS, 0, 0, 0};
    inclusive_ask_owner(domain, &place, line, 0);
    uint8_t *state = &place.set->state[place.way];
    struct domain_answer answer = answer_of(*state, place.set->home[place.way]);
    *state = (uint8_t)line_after_read(domain->sim, *state);
    return answer;
}

struct domain_answer inclusive_drop(struct domain *domain, uint64_t line, int snooped) {
    struct l3_place place = snooped ? snooped_place(domain, line) : l3_find(&domain->l3, line);
    if (place.way < 0)
        return (struct domain_answer){SNOOP_MISS, 0, 0, 0};
    uint32_t sharers = place.set->sharers[place.way];
    struct domain_answer answer = answer_of(place.set->state[place.way], place.set->home[place.way]);
    answer.sharers = sharers;
    if (inclusive_invalidate(domain, &place, sharers, line) == SNOOP_HITM)
        answer.snoop = SNOOP_HITM;
    domain->slices[place.set->slice].clean_given_up += snooped && answer.snoop != SNOOP_HITM;
    l3_remove(&place);
    return answer;
}
