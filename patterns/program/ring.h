/* ring.h - linked lists with a node in each line of some pages, and chases along them.
 *
 * A list is a ring. It goes through all its pages, to one line of each, and does so once for every line of a page, in
 * the same order of pages, of which neighbours are far apart. So each link leads to another page, and no line and no
 * page is seen again before all others of the ring were: caches and TLBs that the ring does not fit into have none of
 * it, those that it fits into have all, whatever the order is. Whole pages fill all sets of caches alike. A line's
 * neighbour, which prefetchers may bring along, comes half a round later. */
#ifndef ASSAY_PROGRAM_RING_H
#define ASSAY_PROGRAM_RING_H

#include <stddef.h>

#include "patterns/program/program.h"

enum { RING_PAGE_BYTES = 4096, RING_PAGE_LINES = RING_PAGE_BYTES / PROGRAM_LINE_BYTES };

struct ring_node {
    const struct ring_node *next;
    char rest[PROGRAM_LINE_BYTES - sizeof(const struct ring_node *)];
};

/* Zeroed pages, not touched yet, small ones whatever the system prefers: of large ones fewer would do, and a whole one
 * would be its first user's. For program_free(). NULL and the reason if there are none. */
struct ring_node *ring_allocate(size_t pages, struct error *error);

/* Links the lines of `pages` pages, which begin so many nodes apart: RING_PAGE_LINES where they are neighbours. */
void ring_link(struct ring_node *nodes, size_t pages, size_t apart);

/* Follows so many links, 1 or more. assay counts it from its machine code (validate/kernel/function.h): one loop, a
 * pass of which is a link. */
const struct ring_node *ring_chase(const struct ring_node *node, size_t links);

#endif
