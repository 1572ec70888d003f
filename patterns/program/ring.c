/* ring.c - linked lists in pages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/ring.h"

#include <sys/mman.h>

struct ring_node *ring_allocate(size_t pages, struct error *error) {
    struct ring_node *nodes = program_allocate(pages * RING_PAGE_BYTES, error);
    if (nodes != NULL)
        madvise(nodes, pages * RING_PAGE_BYTES, MADV_NOHUGEPAGE); /* fails harmlessly on kernels without large pages */
    return nodes;
}

/* Visits the quarters of the page in turn; each round visits another place in each quarter. */
size_t ring_node_of_turn(size_t turn) {
    enum { QUARTERS = 4, QUARTER_NODES = RING_PAGE_NODES / QUARTERS };
    static const unsigned char quarter[QUARTERS] = {0, 2, 1, 3}, place[QUARTER_NODES] = {0, 3, 1, 5, 2, 7, 4, 6};
    return quarter[turn % QUARTERS] * QUARTER_NODES + place[turn / QUARTERS];
}

static size_t common_divisor(size_t a, size_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Distance in pages between successive links, modulo the number of pages: all pages are reached, and neighbours in the
 * list are far apart (golden section of a circle). */
static size_t step_of(size_t pages) {
    size_t step = pages * 618 / 1000 + 1;
    while (common_divisor(step, pages) != 1)
        step++;
    return step;
}

void ring_link(struct ring_node *nodes, size_t pages, size_t apart) {
    size_t step = step_of(pages), page = 0;
    struct ring_node *first = nodes + ring_node_of_turn(0), *last = first;
    for (size_t link = 1; link < pages * RING_PAGE_NODES; link++) {
        page = (page + step) % pages;
        struct ring_node *node = nodes + page * apart + ring_node_of_turn(link / pages);
        last->next = node;
        last = node;
    }
    last->next = first;
}

const struct ring_node *ring_chase(const struct ring_node *node, size_t links) {
    do {
        node = node->next;
        __asm__("" : "+r"(links)); /* keeps the compiler from unrolling the loop */
    } while (--links != 0);
    return node;
}
