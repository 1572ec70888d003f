/* snoop_filter.c - a directory that is a set-associative array.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "snoop_filter.h"

#include "match.h"
#include "ring.h"

enum { MATCHED = 4, ORDER_ALIGNMENT = 16 };

static size_t filter_sets(const struct sim_config *config) {
    return (size_t)config->slices * (config->filter.entries / config->filter.ways);
}

/* log2 of the ways, or of the next power of two; whole groups of tags that are compared together. */
static uint32_t shift_of_ways(uint32_t ways) {
    uint32_t shift = 2;
    while (1U << shift < ways)
        shift++;
    return shift;
}

static uint32_t order_bytes_of(uint32_t ways) {
    return (1 + 2 * ways + ORDER_ALIGNMENT - 1) / ORDER_ALIGNMENT * ORDER_ALIGNMENT;
}

size_t snoop_filter_entries(const struct sim_config *config) {
    return filter_sets(config) << shift_of_ways(config->filter.ways);
}

size_t snoop_filter_bytes(const struct sim_config *config) {
    return snoop_filter_entries(config) * sizeof(uint32_t) + filter_sets(config) * order_bytes_of(config->filter.ways);
}

void snoop_filter_init(struct directory *directory, void *memory, const struct sim_config *config) {
    uint32_t ways = config->filter.ways;
    directory->ways = ways;
    directory->sets = divisor_of(filter_sets(config));
    directory->set_shift = shift_of_ways(ways);
    directory->order_bytes = order_bytes_of(ways);
    directory->tags = memory;
    directory->order = (uint8_t *)(directory->tags + snoop_filter_entries(config));
    for (size_t set = 0; set < directory->sets.value; set++) {
        uint8_t *next = directory->order + set * directory->order_bytes + 1;
        ring_init(next, next + ways, ways);
    }
}

static inline uint32_t set_of(const struct directory *directory, uint64_t line) {
    uint32_t set;
    divisor_divide(&directory->sets, line, &set);
    return set;
}

inline int64_t snoop_filter_find(const struct directory *directory, uint64_t line) {
    size_t first = (size_t)set_of(directory, line) << directory->set_shift;
    const uint32_t *tags = directory->tags + first;
    for (uint32_t way = 0; way < directory->ways; way += MATCHED)
        for (uint32_t found = match4(tags + way, (uint32_t)(line + 1)); found; found &= found - 1) {
            size_t entry = first + way + (uint32_t)__builtin_ctz(found);
            if (directory->lines[entry] == line + 1)
                return (int64_t)entry;
        }
    return -1;
}

inline size_t snoop_filter_entry_in(const struct directory *directory, uint64_t line, uint32_t way) {
    return ((size_t)set_of(directory, line) << directory->set_shift) + way;
}

static inline uint8_t *order_of(const struct directory *directory, size_t entry) {
    return directory->order + (entry >> directory->set_shift) * directory->order_bytes;
}

static inline uint8_t way_of(const struct directory *directory, size_t entry) {
    return (uint8_t)(entry & ((1U << directory->set_shift) - 1));
}

inline void snoop_filter_touch(const struct directory *directory, size_t entry) {
    uint8_t *first = order_of(directory, entry), *next = first + 1;
    ring_touch(next, next + directory->ways, first, way_of(directory, entry));
}

inline size_t snoop_filter_take(const struct directory *directory, uint64_t line) {
    size_t entry = (size_t)set_of(directory, line) << directory->set_shift;
    uint8_t *first = order_of(directory, entry), *prev = first + 1 + directory->ways;
    *first = prev[*first];
    entry += *first;
    directory->tags[entry] = (uint32_t)(line + 1);
    return entry;
}

inline void snoop_filter_release(const struct directory *directory, size_t entry) {
    uint8_t *first = order_of(directory, entry), *next = first + 1;
    directory->tags[entry] = 0;
    ring_drop(next, next + directory->ways, first, way_of(directory, entry));
}
