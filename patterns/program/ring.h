/* ring.h - linked lists with a node in each pair of lines of some pages, and chases along them.
 *
 * A list is a ring. It visits one node in each of its pages, then another node in each page, and so on, always in the
 * same order of pages, in which successive pages are far apart. So each link leads to another page, and all other nodes
 * and pages are used before one is used again: a cache or TLB holds either all of the ring or, if it is too small,
 * nothing.
 *
 * A node has 128 bytes, and only the first of its two lines is used. An adjacent-line prefetcher, which completes such
 * pairs, fetches a line that no link leads to, so the same level serves each link with and without the prefetcher.
 * Without it the ring uses half of the pages' bytes and half of the cache sets; with it, all of both. In both cases
 * the ring fits if the pages' bytes fit into the cache.
 *
 * The nodes of a page are visited in an order that no prefetcher follows: a visit is 2 nodes (4 lines) or more away
 * from each of the three before it in that page, and two successive distances differ. */
#ifndef ASSAY_PROGRAM_RING_H
#define ASSAY_PROGRAM_RING_H

#include <stddef.h>

#include "patterns/program/program.h"

enum {
    RING_PAGE_BYTES = 4096,
    RING_NODE_BYTES = PROGRAM_PAIR_BYTES,
    RING_PAGE_NODES = RING_PAGE_BYTES / RING_NODE_BYTES
};

struct ring_node {
    const struct ring_node *next;
    char rest[RING_NODE_BYTES - sizeof(const struct ring_node *)];
};

/* Returns zeroed, untouched small pages, even if the system prefers large ones: large pages would need fewer TLB
 * entries, and a whole large page lies in the memory of its first user. Free with program_free(). NULL and the reason
 * on failure. */
struct ring_node *ring_allocate(size_t pages, struct error *error);

/* Index of the node that is visited in turn 0 .. RING_PAGE_NODES - 1 of any page. Each node is visited once. */
size_t ring_node_of_turn(size_t turn);

/* Links the nodes of `pages` pages that begin a given number of nodes apart (RING_PAGE_NODES: adjacent pages). */
void ring_link(struct ring_node *nodes, size_t pages, size_t apart);

/* Follows `links` links, 1 or more. One loop, one link a pass. The instructions are counted in the
 * machine code (validate/kernel/function.h). */
const struct ring_node *ring_chase(const struct ring_node *node, size_t links);

#endif
