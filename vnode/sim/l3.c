/* l3.c - the tags and states of a domain's last level.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "l3.h"

#include "match.h"
#include "ring.h"

size_t l3_bytes(uint32_t slices, uint32_t sets_per_slice) {
    return (size_t)slices * sets_per_slice * sizeof(struct l3_set);
}

void l3_init(struct l3 *l3, struct l3_set *sets, uint32_t slices, uint32_t sets_per_slice, uint32_t ways) {
    l3->sets = sets;
    l3->divisor = divisor_of((uint64_t)slices * sets_per_slice);
    for (size_t i = 0; i < l3->divisor.value; i++) {
        sets[i].slice = (uint8_t)(i % slices);
        ring_init(sets[i].next, sets[i].prev, ways);
    }
}

/* Bits of the ways with tag `tag`. Unused ways stay empty and never match. */
static inline uint32_t matching_ways(const struct l3_set *set, uint32_t tag) {
    _Static_assert(L3_WAYS_MAX == 16 + 4, "all ways are compared");
    return match16(set->tag, tag) | match4(&set->tag[16], tag) << 16;
}

/* Finds the line's set; returns the bit of its way, 0 if absent. The caller sets `place.way`. */
static inline uint32_t seek(const struct l3 *l3, uint64_t line, struct l3_place *place) {
    place->set = l3_set_of(l3, line, &place->tag);
    return matching_ways(place->set, place->tag);
}

inline struct l3_place l3_find(const struct l3 *l3, uint64_t line) {
    struct l3_place place;
    uint32_t ways = seek(l3, line, &place);
    place.way = ways ? __builtin_ctz(ways) : -1;
    return place;
}

inline struct l3_place l3_find_present(const struct l3 *l3, uint64_t line) {
    struct l3_place place;
    place.way = __builtin_ctz(seek(l3, line, &place));
    return place;
}

inline void l3_touch(const struct l3_place *place) {
    struct l3_set *set = place->set;
    ring_touch(set->next, set->prev, &set->first, (uint8_t)place->way);
}

inline int l3_victim(const struct l3_place *place) {
    return place->set->prev[place->set->first];
}

inline uint64_t l3_line(const struct l3 *l3, const struct l3_place *place) {
    return (place->set->tag[place->way] - 1) * l3->divisor.value + (uint64_t)(place->set - l3->sets);
}

inline void l3_fill(const struct l3_place *place, enum sim_line_state state, uint32_t home, uint32_t sharers) {
    struct l3_set *set = place->set;
    int way = place->way;
    set->tag[way] = place->tag;
    set->sharers[way] = sharers;
    set->fetched &= ~(1U << way);
    set->state[way] = (uint8_t)state;
    set->home[way] = (uint8_t)home;
    set->first = (uint8_t)way; /* it was just before the first */
}

void l3_remove(const struct l3_place *place) {
    struct l3_set *set = place->set;
    set->tag[place->way] = 0;
    set->sharers[place->way] = 0;
    set->state[place->way] = LINE_I;
    ring_drop(set->next, set->prev, &set->first, (uint8_t)place->way);
}
