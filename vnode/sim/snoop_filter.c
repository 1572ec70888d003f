/* snoop_filter.c - a directory that is a set-associative array.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "snoop_filter.h"

/* Index of the first entry of the line's set. */
static size_t set_of(const struct directory *directory, uint64_t line) {
    uint64_t slice = line % directory->slices, row = line / directory->slices;
    return (size_t)(slice * directory->sets + (row & (directory->sets - 1))) * directory->ways;
}

int64_t snoop_filter_find(const struct directory *directory, uint64_t line) {
    size_t set = set_of(directory, line);
    for (size_t i = set; i < set + directory->ways; i++)
        if (directory->lines[i] == line + 1)
            return (int64_t)i;
    return -1;
}

size_t snoop_filter_choose(const struct directory *directory, uint64_t line) {
    size_t set = set_of(directory, line), oldest = set;
    for (size_t i = set; i < set + directory->ways; i++) {
        if (directory->lines[i] == 0)
            return i;
        if (directory->used[i] < directory->used[oldest])
            oldest = i;
    }
    return oldest;
}
