/* l3.h - the tags and states of a domain's last level, and its directory if it is inclusive: arrays and recency only.
 * What a request does to them is coherence.c's business.
 *
 * Slice and set of a line: consecutive lines lie in consecutive slices (no address hash: real CBOX hashes spread
 * lines as evenly, and a plain interleave can be computed by hand); the quotient picks the set. Exact LRU of demand
 * requests. The set's links form a ring through the ways with a sentinel, so that a touch is O(1) at 20 ways, and a
 * line keeps its way as long as it stays.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_L3_H
#define ASSAY_SIM_L3_H

#include <stddef.h>
#include <stdint.h>

#include "counts.h"

enum {
    L3_WAYS_MAX = 20,
    L3_SHARERS_MAX = 32,
    L3_SETS_MIN = 512, /* fewer, and the tag of a 47-bit address exceeds 32 bits */
    L3_NO_SHIFT = 64
};

struct l3_set {
    _Alignas(64) uint32_t tag[L3_WAYS_MAX]; /* the line's number above slice and set, plus 1; 0: empty way */
    uint32_t sharers[L3_WAYS_MAX];          /* core-valid bits: cores that may hold the line */
    uint32_t fetched;                       /* a bit for each way: an L1I took its line */
    uint8_t state[L3_WAYS_MAX];             /* enum sim_line_state, of the domain towards the others */
    uint8_t home[L3_WAYS_MAX];              /* NUMA domain whose memory the line belongs to */
    uint8_t next[L3_WAYS_MAX + 1];          /* towards less recent; the last element is the ring's sentinel */
    uint8_t prev[L3_WAYS_MAX + 1];
};

struct l3 {
    struct l3_set *sets; /* of all slices, slice by slice */
    uint32_t ways;
    uint32_t slices;
    uint32_t slice_shift;    /* log2 of it, L3_NO_SHIFT: not a power of two */
    uint32_t sets_per_slice; /* a power of two */
    uint32_t set_shift;      /* log2 of it */
};

/* Where a line is, or belongs: its slice, set and way. way < 0: the line is not in the L3. */
struct l3_place {
    struct l3_set *set;
    uint32_t slice;
    uint32_t tag;
    int way;
};

size_t l3_bytes(uint32_t slices, uint32_t sets_per_slice);
void l3_init(struct l3 *l3, struct l3_set *sets, uint32_t slices, uint32_t sets_per_slice, uint32_t ways);

/* The set where the line belongs; `slice` and `row` (the line's number above the slice) are told besides. */
static inline struct l3_set *l3_set_of(const struct l3 *l3, uint64_t line, uint32_t *slice, uint64_t *row) {
    if (l3->slice_shift != L3_NO_SHIFT) { /* spares the division where it can be spared */
        *slice = (uint32_t)line & (l3->slices - 1);
        *row = line >> l3->slice_shift;
    } else {
        *slice = (uint32_t)(line % l3->slices);
        *row = line / l3->slices;
    }
    return &l3->sets[(size_t)*slice << l3->set_shift | ((uint32_t)*row & (l3->sets_per_slice - 1))];
}

static inline uint32_t l3_slice(const struct l3 *l3, uint64_t line) {
    uint32_t slice;
    uint64_t row;
    l3_set_of(l3, line, &slice, &row);
    return slice;
}

/* The host may fetch the line's set meanwhile: the sets are more than its caches hold near. */
static inline void l3_expect(const struct l3 *l3, uint64_t line) {
    uint32_t slice;
    uint64_t row;
    const char *set = (const char *)l3_set_of(l3, line, &slice, &row);
    for (size_t byte = 0; byte < sizeof(struct l3_set); byte += 64)
        __builtin_prefetch(set + byte, 1);
}

/* Nonzero if an L1I of the domain took the line since it came. */
static inline int l3_fetched(const struct l3_place *place) {
    return place->set->fetched >> place->way & 1;
}

/* Looks the line up; recency does not change. */
struct l3_place l3_find(const struct l3 *l3, uint64_t line);

/* The same of a line that must be there. */
struct l3_place l3_find_present(const struct l3 *l3, uint64_t line);

/* Makes a present line the most recent. */
void l3_touch(const struct l3_place *place);

/* The way that a new line of this set will take: an empty or else the least recent one. */
int l3_victim(const struct l3_place *place);

/* The line in `way` of the set and slice of `place`. */
uint64_t l3_line(const struct l3 *l3, const struct l3_place *place, int way);

/* Enters the line of `place` in `way` as the most recent, without sharers. */
void l3_fill(struct l3_place *place, int way, enum sim_line_state state, uint32_t home);

/* Empties the way: it will be taken next. */
void l3_remove(const struct l3_place *place);

#endif
