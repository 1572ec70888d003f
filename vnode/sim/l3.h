/* l3.h - tags, states and LRU order of a domain's last level, and its directory if it is inclusive. coherence.c
 * handles the requests.
 *
 * Consecutive lines lie in consecutive slices; the quotient selects the set. (No address hash: real CBOX hashes
 * distribute lines as evenly, and interleaving can be computed by hand.) Exact LRU of demand requests. A line never
 * changes its way (ring.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_L3_H
#define ASSAY_SIM_L3_H

#include <stddef.h>
#include <stdint.h>

#include "counts.h"
#include "divisor.h"

enum {
    L3_WAYS_MAX = 20,
    L3_SHARERS_MAX = 32,
    L3_SETS_MIN =
        512, /* of a slice: with fewer, the tag of a 47-bit address exceeds 32 bits (but for the last 32 KiB) */
    L3_SETS_MAX = 1 << 21 /* of all slices: with more, divisor_divide() of a line number is not exact */
};

struct l3_set {
    _Alignas(64) uint32_t tag[L3_WAYS_MAX]; /* line number above slice and set, + 1; 0: empty way */
    uint32_t fetched;                       /* bit per way: an L1I filled its line */
    uint8_t state[L3_WAYS_MAX];             /* enum sim_line_state of the domain, as other domains see it */
    uint8_t home[L3_WAYS_MAX];              /* home: NUMA domain of the line */
    uint8_t next[L3_WAYS_MAX], prev[L3_WAYS_MAX], first; /* LRU order: ring.h */
    uint8_t slice;                                       /* that the set belongs to */
    uint32_t sharers[L3_WAYS_MAX];                       /* core-valid bits: cores that may hold the line */
};

struct l3 {
    struct l3_set *sets;    /* that of line n, in its slice, is the (n modulo their number)th */
    struct divisor divisor; /* the number of sets in all slices */
};

/* Set and way of a line. way < 0: the line is absent. */
struct l3_place {
    struct l3_set *set;
    uint32_t tag;
    int way;
};

size_t l3_bytes(uint32_t slices, uint32_t sets_per_slice);
void l3_init(struct l3 *l3, struct l3_set *sets, uint32_t slices, uint32_t sets_per_slice, uint32_t ways);

/* The line's set; also returns its tag in the set. */
static inline struct l3_set *l3_set_of(const struct l3 *l3, uint64_t line, uint32_t *tag) {
    uint32_t set;
    *tag = (uint32_t)divisor_divide(&l3->divisor, line, &set) + 1;
    return &l3->sets[set];
}

static inline uint32_t l3_slice(const struct l3 *l3, uint64_t line) {
    uint32_t tag;
    return l3_set_of(l3, line, &tag)->slice;
}

/* Nonzero if an L1I of the domain filled the line since it arrived. */
static inline int l3_fetched(const struct l3_place *place) {
    return place->set->fetched >> place->way & 1;
}

/* Looks the line up; recency does not change. */
struct l3_place l3_find(const struct l3 *l3, uint64_t line);

/* l3_find() for a line that must be present. */
struct l3_place l3_find_present(const struct l3 *l3, uint64_t line);

/* The same for a line whose way is known. */
static inline struct l3_place l3_place_in(const struct l3 *l3, uint64_t line, int way) {
    struct l3_place place = {.way = way};
    place.set = l3_set_of(l3, line, &place.tag);
    return place;
}

/* Makes a present line the most recent. */
void l3_touch(const struct l3_place *place);

/* The way for a new line of this set: an empty one, else the least recent. */
int l3_victim(const struct l3_place *place);

/* The line that lies in the way of `place`. */
uint64_t l3_line(const struct l3 *l3, const struct l3_place *place);

/* Inserts the line that was looked up as the most recent. The way of `place` must be l3_victim(). */
void l3_fill(const struct l3_place *place, enum sim_line_state state, uint32_t home, uint32_t sharers);

/* Empties the way; it will be filled first. */
void l3_remove(const struct l3_place *place);

#endif
