/* ring.h - LRU order of the ways of a set that never change their places: a ring from the most recent way, `first`, to
 * the least recent one, which is before it. A touch is O(1), and a fill of the least recent way only moves `first`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_RING_H
#define ASSAY_SIM_RING_H

#include <stdint.h>

/* Way 0 is the most recent. `next`: next less recent way, of the least recent: the most recent. */
static inline void ring_init(uint8_t *next, uint8_t *prev, uint32_t ways) {
    for (uint32_t way = 0; way < ways; way++) {
        next[way] = (uint8_t)((way + 1) % ways);
        prev[way] = (uint8_t)((way + ways - 1) % ways);
    }
}

/* Moves a way, which is not the first, to between the least recent and the first. */
static inline void ring_move(uint8_t *next, uint8_t *prev, uint8_t first, uint8_t way) {
    uint8_t before = prev[way], after = next[way];
    next[before] = after;
    prev[after] = before;
    uint8_t last = prev[first];
    next[last] = way;
    prev[way] = last;
    next[way] = first;
    prev[first] = way;
}

/* Makes the way the most recent. */
static inline void ring_touch(uint8_t *next, uint8_t *prev, uint8_t *first, uint8_t way) {
    if (way == *first)
        return;
    ring_move(next, prev, *first, way);
    *first = way;
}

/* Makes the way the least recent. */
static inline void ring_drop(uint8_t *next, uint8_t *prev, uint8_t *first, uint8_t way) {
    if (way == *first)
        *first = next[way];
    else
        ring_move(next, prev, *first, way);
}

#endif
