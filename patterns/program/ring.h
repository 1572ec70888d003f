/* ring.h - linked lists with a node in each line of some pages, and chases along them.
 *
 * A list is a ring. It visits one line in each of its pages, then another line in each page, and so on, always in the
 * same order of pages, in which successive pages are far apart. So each link leads to another page, and all other lines
 * and pages are used before one is used again: a cache or TLB holds either all of the ring or, if it is too small,
 * nothing. Whole pages fill all cache sets equally. A line's neighbour, which a prefetcher may fetch, comes half a
 * round later. */
#ifndef ASSAY_PROGRAM_RING_H
#define ASSAY_PROGRAM_RING_H

#include <stddef.h>

#include "patterns/program/program.h"

enum { RING_PAGE_BYTES = 4096, RING_PAGE_LINES = RING_PAGE_BYTES / PROGRAM_LINE_BYTES };

struct ring_node {
    const struct ring_node *next;
    char rest[PROGRAM_LINE_BYTES - sizeof(const struct ring_node *)];
};

/* Returns zeroed, untouched small pages, even if the system prefers large ones: those would need fewer TLB entries, and
 * a whole large page would lie with its first user. Free with program_free(). NULL and the reason on failure. */
struct ring_node *ring_allocate(size_t pages, struct error *error);

/* Links the lines of `pages` pages that begin a given number of nodes apart (RING_PAGE_LINES: adjacent pages). */
void ring_link(struct ring_node *nodes, size_t pages, size_t apart);

/* Follows `links` links, 1 or more. One loop, one link a pass; counted from its machine code
 * (validate/kernel/function.h). */
const struct ring_node *ring_chase(const struct ring_node *node, size_t links);

#endif
