/* directory_entry.h - the entries of both kinds of directories (directory.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DIRECTORY_ENTRY_H
#define ASSAY_SIM_DIRECTORY_ENTRY_H

#include <stdint.h>

struct directory_entry {
    uint64_t sharers; /* cores that hold the line; 0 only while an entry is being made */
    uint8_t state;    /* enum sim_line_state of the line, if it is not in the last level */
    uint8_t home;     /* NUMA domain of the line */
};

struct directory {
    uint64_t *lines; /* the entry's line number + 1, 0: free */
    struct directory_entry *entries;
    uint32_t ways, slices, sets; /* snoop filter: `sets` per slice, a power of two; ways 0: shadow tags */
    uint64_t *used;              /* snoop filter: time of the entry's last touch */
    uint64_t now;
    uint32_t *heads, *next; /* shadow tags: hash chains and free list, entry numbers + 1 */
    uint32_t hash_bits, free;
};

#endif
