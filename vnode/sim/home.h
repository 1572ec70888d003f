/* home.h - to which socket's memory a page belongs: the socket of the core that first touched it.
 *
 * An open hash table of groups of 8 consecutive pages. HOME_GROUPS groups fit, at 7/8 occupancy: 7 GiB of densely
 * used 4 KiB pages. A page of a group that finds no place is interleaved: its home is its page number modulo the
 * number of sockets, for good. On one socket the table is not used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_HOME_H
#define ASSAY_SIM_HOME_H

#include <stddef.h>
#include <stdint.h>

enum { HOME_GROUPS_SHIFT = 18, HOME_GROUPS = 1 << HOME_GROUPS_SHIFT, HOME_GROUP_PAGES = 8 };

struct home_table {
    uint64_t *groups; /* group number + 1 above 24 bits: three for each page, socket + 1, 0 if untouched. 0: free */
    uint32_t used;
    uint32_t limit; /* groups that may be used */
    uint32_t sockets;
};

/* Bytes of zeroed memory for the table of a node of so many sockets. */
size_t home_bytes(uint32_t sockets);
void home_init(struct home_table *homes, uint64_t *groups, uint32_t sockets);

/* The page's home; `toucher` becomes it if the page has none. */
uint32_t home_of(struct home_table *homes, uint64_t page, uint32_t toucher);

/* The page has no home any more: the next touch decides. */
void home_forget(struct home_table *homes, uint64_t page);

#endif
