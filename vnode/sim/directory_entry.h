/* directory_entry.h - the entries of both kinds of directories (directory.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DIRECTORY_ENTRY_H
#define ASSAY_SIM_DIRECTORY_ENTRY_H

#include <stdint.h>

#include "divisor.h"

struct directory_entry {
    uint64_t sharers; /* cores that hold the line; 0 only while an entry is being made */
    uint8_t state;    /* enum sim_line_state of the line, if it is not in the last level */
    uint8_t home;     /* NUMA domain of the line */
};

struct directory {
    uint64_t *lines; /* the entry's line number + 1, 0: free */
    struct directory_entry *entries;
    struct divisor sets;    /* snoop filter: their number, in all slices */
    uint32_t ways;          /* of a set; 0: shadow tags */
    uint32_t set_shift;     /* log2 of the entries from one set to the next */
    uint32_t order_bytes;   /* of a set */
    uint32_t *tags;         /* lower halves of `lines` */
    uint8_t *order;         /* LRU order of each set (ring.h): first, next of each way, prev of each way */
    uint32_t *heads, *next; /* shadow tags: hash chains and free list, entry numbers + 1 */
    uint32_t hash_bits, free;
};

#endif
