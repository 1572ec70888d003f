/* sim_reference_array.h - part of sim_reference.h: a simple set-associative array of lines with exact LRU, used for all
 * caches, directories and TLBs of the reference.
 *
 * A way stores the time of its last use; replacement searches for the least recent one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_ARRAY_H
#define ASSAY_TESTS_SIM_REFERENCE_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

/* A core's rights to a line: the MESI states by what they allow. */
enum ref_right { REF_NOTHING, REF_SHARED, REF_EXCLUSIVE, REF_MODIFIED };

struct ref_way {
    uint64_t used; /* time of last use; 0: empty way */
    uint64_t line;
    enum ref_right right; /* in a core's caches */
    int state;            /* in a domain that knows the line: enum sim_line_state */
    uint64_t sharers;     /* in a domain: a bit for each core that may hold it */
    uint32_t home;        /* in a domain: NUMA domain of its memory */
};

struct ref_array {
    struct ref_way *way;
    uint64_t sets;
    uint32_t ways;
    uint32_t slices; /* consecutive lines are in consecutive slices */
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

/* The way for a new line: an empty one, else the least recent one. */
static inline struct ref_way *ref_place(const struct ref_array *array, uint64_t line) {
    struct ref_way *set = ref_set(array, line), *least = set;
    for (uint32_t i = 1; i < array->ways; i++)
        if (set[i].used < least->used)
            least = &set[i];
    return least;
}

/* Stores the line in the way as the most recent one. */
static inline void ref_put(struct ref_array *array, struct ref_way *way, uint64_t line) {
    *way = (struct ref_way){.line = line};
    ref_touch(array, way);
}

static inline void ref_clear(struct ref_way *way) {
    if (way)
        way->used = 0;
}

/* Makes the line the most recent one. Nonzero if it is present. */
static inline int ref_use(struct ref_array *array, uint64_t line) {
    struct ref_way *way = ref_find(array, line);
    if (way)
        ref_touch(array, way);
    return way != NULL;
}

#endif
