/* sim_reference_array.h - part of sim_reference.h: a set-associative array of lines with exact LRU, as plainly as it
 * can be written. All caches, directories and TLBs of the reference are made of it.
 *
 * A way says when it was last used; the least recent one is looked for when it is needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_ARRAY_H
#define ASSAY_TESTS_SIM_REFERENCE_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

/* What a core may do with a line: MESI's states by what they allow. */
enum ref_right { REF_NOTHING, REF_SHARED, REF_EXCLUSIVE, REF_MODIFIED };

struct ref_way {
    uint64_t used; /* when; 0: the way is empty */
    uint64_t line;
    enum ref_right right; /* of a core, in its caches */
    int state;            /* of a domain that knows the line: enum sim_line_state */
    uint64_t sharers;     /* there: a bit for each core that may hold it */
    uint32_t home;        /* there: whose memory it came from */
};

struct ref_array {
    struct ref_way *way;
    uint64_t sets;
    uint32_t ways;
    uint32_t slices; /* consecutive lines lie in consecutive slices */
    uint64_t now;
};

static inline struct ref_array ref_array_make(uint64_t entries, uint32_t ways, uint32_t slices) {
    struct ref_array array = {.sets = entries / ways, .ways = ways, .slices = slices};
    array.way = (struct ref_way *)calloc(entries * slices, sizeof *array.way);
    if (!array.way)
        abort();
    return array;
}

static inline uint32_t ref_slice(const struct ref_array *array, uint64_t line) {
    return (uint32_t)(line % array->slices);
}

static inline struct ref_way *ref_set(const struct ref_array *array, uint64_t line) {
    uint64_t set = line / array->slices % array->sets;
    return array->way + (ref_slice(array, line) * array->sets + set) * array->ways;
}

/* The way that holds the line, NULL if none does. */
static inline struct ref_way *ref_find(const struct ref_array *array, uint64_t line) {
    struct ref_way *set = ref_set(array, line);
    for (uint32_t i = 0; i < array->ways; i++)
        if (set[i].used && set[i].line == line)
            return &set[i];
    return NULL;
}

static inline void ref_touch(struct ref_array *array, struct ref_way *way) {
    way->used = ++array->now;
}

/* The way that a new line takes: an empty one, else the least recent one. */
static inline struct ref_way *ref_place(const struct ref_array *array, uint64_t line) {
    struct ref_way *set = ref_set(array, line), *least = set;
    for (uint32_t i = 1; i < array->ways; i++)
        if (set[i].used < least->used)
            least = &set[i];
    return least;
}

/* Puts the line there as the most recent one. */
static inline void ref_put(struct ref_array *array, struct ref_way *way, uint64_t line) {
    *way = (struct ref_way){.line = line};
    ref_touch(array, way);
}

static inline void ref_clear(struct ref_way *way) {
    if (way)
        way->used = 0;
}

/* Makes the line the most recent. Nonzero if it is there. */
static inline int ref_use(struct ref_array *array, uint64_t line) {
    struct ref_way *way = ref_find(array, line);
    if (way)
        ref_touch(array, way);
    return way != NULL;
}

#endif
