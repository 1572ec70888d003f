/* l3.h - tags, states and LRU order of a domain's last level, and its directory if it is inclusive. coherence.c
 * handles the requests.
 *
 * Consecutive lines lie in consecutive slices; the quotient selects the set. (No address hash: real CBOX hashes
 * distribute lines as evenly, and interleaving can be computed by hand.) Exact LRU of demand requests. A set's links
 * form a ring of ways with a sentinel: a touch is O(1) at 20 ways, and a line never changes its way.
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
    L3_SETS_MIN = 512, /* with fewer, the tag of a 47-bit address exceeds 32 bits */
    L3_NO_SHIFT = 64
};

struct l3_set {
    _Alignas(64) uint32_t tag[L3_WAYS_MAX]; /* line number above slice and set, + 1; 0: empty way */
    uint32_t fetched;                       /* bit per way: an L1I filled its line */
    uint8_t state[L3_WAYS_MAX];             /* enum sim_line_state of the domain, as other domains see it */
    uint8_t home[L3_WAYS_MAX];              /* home: NUMA domain of the line */
    uint8_t next[L3_WAYS_MAX + 1];          /* next less recent way; the last element is the sentinel */
    uint8_t prev[L3_WAYS_MAX + 1];
    uint32_t sharers[L3_WAYS_MAX]; /* core-valid bits: cores that may hold the line */
};

struct l3 {
    struct l3_set *sets; /* of all slices, slice by slice */
    uint32_t ways;
    uint32_t slices;
    uint32_t slice_shift;    /* log2 of slices, L3_NO_SHIFT: not a power of two */
    uint32_t sets_per_slice; /* a power of two */
    uint32_t set_shift;      /* log2 of sets_per_slice */
};

/* Slice, set and way of a line. way < 0: the line is absent. */
struct l3_place {
    struct l3_set *set;
    uint32_t slice;
    uint32_t tag;
    int way;
};

size_t l3_bytes(uint32_t slices, uint32_t sets_per_slice);
void l3_init(struct l3 *l3, struct l3_set *sets, uint32_t slices, uint32_t sets_per_slice, uint32_t ways);

/* The line's set; also returns its slice, and `row`, the line number above the slice. */
static inline struct l3_set *l3_set_of(const struct l3 *l3, uint64_t line, uint32_t *slice, uint64_t *row) {
    if (l3->slice_shift != L3_NO_SHIFT) { /* avoids the division */
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

/* Prefetches the line's set on the host, whose caches do not hold all sets. */
static inline void l3_expect(const struct l3 *l3, uint64_t line) {
    uint32_t slice;
    uint64_t row;
    const char *set = (const char *)l3_set_of(l3, line, &slice, &row);
    for (size_t byte = 0; byte < sizeof(struct l3_set); byte += 64)
        __builtin_prefetch(set + byte, 1);
}

/* Nonzero if an L1I of the domain filled the line since it arrived. */
static inline int l3_fetched(const struct l3_place *place) {
    return place->set->fetched >> place->way & 1;
}

/* Looks the line up; recency does not change. */
struct l3_place l3_find(const struct l3 *l3, uint64_t line);

/* l3_find() for a line that must be present. */
struct l3_place l3_find_present(const struct l3 *l3, uint64_t line);

/* Makes a present line the most recent. */
void l3_touch(const struct l3_place *place);

/* The way for a new line of this set: an empty one, else the least recent. */
int l3_victim(const struct l3_place *place);

/* The line in `way` of the set and slice of `place`. */
uint64_t l3_line(const struct l3 *l3, const struct l3_place *place, int way);

/* Inserts the line of `place` into `way` as the most recent, without sharers. */
void l3_fill(struct l3_place *place, int way, enum sim_line_state state, uint32_t home);

/* Empties the way; it will be filled first. */
void l3_remove(const struct l3_place *place);

#endif
