/* directory_entry.h - the entries of a directory, as both kinds keep them (directory.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DIRECTORY_ENTRY_H
#define ASSAY_SIM_DIRECTORY_ENTRY_H

#include <stdint.h>

struct directory_entry {
    uint64_t sharers; /* cores that hold the line; never 0 but while an entry is being made */
    uint8_t state;    /* enum sim_line_state of the line, where the last level does not have it */
    uint8_t home;     /* NUMA domain of the line */
};

struct directory {
    uint64_t *lines; /* number of the entry's line + 1, 0: free */
    struct directory_entry *entries;
    uint32_t ways, slices, sets; /* of a snoop filter: sets of a slice, a power of two; ways 0: shadow tags */
    uint64_t *used;              /* snoop filter: when the entry was touched last */
    uint64_t now;
    uint32_t *heads,
        *next; /* shadow tags: chains of entries' numbers + 1, by hash; `next` of a free one: the next free */
    uint32_t hash_bits, free;
};

#endif
