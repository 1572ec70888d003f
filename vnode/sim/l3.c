/* l3.c - the tags and states of a domain's last level.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "l3.h"

#include "match.h"

enum { SENTINEL = L3_WAYS_MAX };

size_t l3_bytes(uint32_t slices, uint32_t sets_per_slice) {
    return (size_t)slices * sets_per_slice * sizeof(struct l3_set);
}

void l3_init(struct l3 *l3, struct l3_set *sets, uint32_t slices, uint32_t sets_per_slice, uint32_t ways) {
    l3->sets = sets;
    l3->ways = ways;
    l3->slices = slices;
    l3->slice_shift = (slices & (slices - 1)) == 0 ? (uint32_t)__builtin_ctz(slices) : L3_NO_SHIFT;
    l3->sets_per_slice = sets_per_slice;
    l3->set_shift = (uint32_t)__builtin_ctz(sets_per_slice);
    for (size_t i = 0; i < (size_t)slices * sets_per_slice; i++) {
        uint8_t last = SENTINEL;
        for (uint32_t way = 0; way < ways; way++) {
            sets[i].next[last] = (uint8_t)way;
            sets[i].prev[way] = last;
            last = (uint8_t)way;
        }
        sets[i].next[last] = SENTINEL;
        sets[i].prev[SENTINEL] = last;
    }
}

/* Bits of the ways with tag `tag`. Unused ways stay empty and never match. */
static inline uint32_t matching_ways(const struct l3_set *set, uint32_t tag) {
    _Static_assert(L3_WAYS_MAX == 16 + 4, "all ways are compared");
    return match16(set->tag, tag) | match4(&set->tag[16], tag) << 16;
}

/* Finds the line's set; returns the bit of its way, 0 if absent. The caller sets `place.way`. */
static inline uint32_t seek(const struct l3 *l3, uint64_t line, struct l3_place *place) {
    uint64_t row;
    place->set = l3_set_of(l3, line, &place->slice, &row);
    place->tag = (uint32_t)(row >> l3->set_shift) + 1;
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

static inline void unlink_way(struct l3_set *set, uint8_t way) {
    set->next[set->prev[way]] = set->next[way];
    set->prev[set->next[way]] = set->prev[way];
}

static inline void link_after(struct l3_set *set, uint8_t before, uint8_t way) {
    uint8_t after = set->next[before];
    set->next[before] = way;
    set->prev[way] = before;
    set->next[way] = after;
    set->prev[after] = way;
}

void l3_touch(const struct l3_place *place) {
    unlink_way(place->set, (uint8_t)place->way);
    link_after(place->set, SENTINEL, (uint8_t)place->way);
}

int l3_victim(const struct l3_place *place) {
    return place->set->prev[SENTINEL];
}

uint64_t l3_line(const struct l3 *l3, const struct l3_place *place, int way) {
    uint64_t index = (uint64_t)(place->set - l3->sets) & (l3->sets_per_slice - 1);
    uint64_t row = (uint64_t)(place->set->tag[way] - 1) << l3->set_shift | index;
    return row * l3->slices + place->slice;
}

void l3_fill(struct l3_place *place, int way, enum sim_line_state state, uint32_t home) {
    place->way = way;
    place->set->tag[way] = place->tag;
    place->set->sharers[way] = 0;
    place->set->fetched &= ~(1U << way);
    place->set->state[way] = (uint8_t)state;
    place->set->home[way] = (uint8_t)home;
    l3_touch(place);
}

void l3_remove(const struct l3_place *place) {
    struct l3_set *set = place->set;
    set->tag[place->way] = 0;
    set->sharers[place->way] = 0;
    set->state[place->way] = LINE_I;
    unlink_way(set, (uint8_t)place->way);
    link_after(set, set->prev[SENTINEL], (uint8_t)place->way);
}
