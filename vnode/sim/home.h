/* home.h - to which NUMA domain's memory a page belongs: that of the core which first touched it, unless somebody else
 * decides that.
 *
 * An open hash table of groups of 4 consecutive pages. HOME_GROUPS groups fit, at 7/8 occupancy: 7 GiB of densely
 * used 4 KiB pages. A page of a group that finds no place is interleaved: its home is its page number modulo the
 * number of domains, for good. With one domain the table is not used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_HOME_H
#define ASSAY_SIM_HOME_H

#include <stddef.h>
#include <stdint.h>

enum { HOME_GROUPS_SHIFT = 19, HOME_GROUPS = 1 << HOME_GROUPS_SHIFT, HOME_GROUP_PAGES = 4 };

/* The home of a page that is touched for the first time, by a core of the domain `toucher`. */
typedef uint32_t home_decision(void *context, uint64_t page, uint32_t toucher);

struct home_table {
    uint64_t *groups; /* group number + 1 above 20 bits: five for each page, domain + 1, 0 if untouched. 0: free */
    uint32_t used;
    uint32_t limit; /* groups that may be used */
    uint32_t domains;
    home_decision *decide; /* NULL: the toucher's */
    void *context;
};

/* Bytes of zeroed memory for the table of a node of so many NUMA domains. */
size_t home_bytes(uint32_t domains);
void home_init(struct home_table *homes, uint64_t *groups, uint32_t domains);

/* The page's home; if it has none it gets one. */
uint32_t home_of(struct home_table *homes, uint64_t page, uint32_t toucher);

/* The page's home, -1 if it has none. */
int home_known(const struct home_table *homes, uint64_t page);

/* From now on `home` is the page's home. A page that found no place in the table stays where it is. */
void home_set(struct home_table *homes, uint64_t page, uint32_t home);

/* Every page moves from its home h to to[h]. */
void home_move(struct home_table *homes, const uint32_t *to);

/* `count` pages from `first` on have no home any more: the next touch decides. */
void home_forget(struct home_table *homes, uint64_t first, uint64_t count);

#endif
