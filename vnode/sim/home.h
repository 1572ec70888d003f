/* home.h - the memory that a page belongs to (its home): that of the NUMA domain of the core that first touched it,
 * unless `decide` chooses another. Memories are numbered as by sim_memories() in config.h. What cores of a domain
 * without memory touch first belongs to domain 0.
 *
 * A hash table with open addressing: an entry is a group of 4 consecutive pages. At most 7/8 of the HOME_GROUPS entries
 * are used, enough for 7 GiB of densely used 4 KiB pages. Pages of a group that does not fit are interleaved
 * permanently: home = page number modulo domains. With one memory the table is not used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_HOME_H
#define ASSAY_SIM_HOME_H

#include <stddef.h>
#include <stdint.h>

enum { HOME_GROUPS_SHIFT = 19, HOME_GROUPS = 1 << HOME_GROUPS_SHIFT, HOME_GROUP_PAGES = 4 };

/* Chooses the home of a page at its first touch, by a core of domain `toucher`. */
typedef uint32_t home_decision(void *context, uint64_t page, uint32_t toucher);

struct home_table {
    uint64_t *groups; /* (group number + 1) << 24, then 6 bits per page: home + 1, 0 if untouched. Word 0: free */
    uint32_t used;
    uint32_t limit;        /* maximum of `used` */
    uint32_t domains;      /* with memory: sim_memory_domains() */
    uint32_t memories;     /* sim_memories() */
    home_decision *decide; /* NULL: home is the toucher's domain */
    void *context;
};

/* Bytes of zeroed memory for the table of a node. */
size_t home_bytes(uint32_t memories);
void home_init(struct home_table *homes, uint64_t *groups, uint32_t domains, uint32_t memories);

/* The page's home; assigns one if it has none. */
uint32_t home_of(struct home_table *homes, uint64_t page, uint32_t toucher);

/* The page's home, -1 if it has none. */
int home_known(const struct home_table *homes, uint64_t page);

/* Sets the page's home. A page that did not fit in the table keeps its home. */
void home_set(struct home_table *homes, uint64_t page, uint32_t home);

/* Moves every page from its home h to to[h]. */
void home_move(struct home_table *homes, const uint32_t *to);

/* `count` pages from `first` on lose their homes: the next touch decides. `forgotten` hears of each page that has one
 * first. */
typedef void home_forgotten(void *context, uint64_t page);
void home_forget(struct home_table *homes, uint64_t first, uint64_t count, home_forgotten *forgotten, void *context);

#endif
