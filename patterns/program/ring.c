/* ring.c - linked lists in pages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/ring.h"

#include <stdint.h>
#include <sys/mman.h>

struct ring_node *ring_allocate(size_t pages, struct error *error) {
    struct ring_node *nodes = program_allocate(pages * RING_PAGE_BYTES, error);
    if (nodes != NULL)
        madvise(nodes, pages * RING_PAGE_BYTES, MADV_NOHUGEPAGE); /* fails harmlessly on kernels without large pages */
    return nodes;
}

/* A hash of the number. */
static uint64_t mix(uint64_t number) {
    number = (number + 1) * UINT64_C(6364136223846793005);
    number = (number ^ number >> 32) * UINT64_C(6364136223846793005);
    return number >> 32;
}

/* The node of a page that is visited in a turn. Each node is visited once. */
static size_t node_of_turn(size_t page, size_t turn) {
    uint64_t chance = mix(page);
    size_t step = chance % RING_PAGE_NODES | 1, first = chance / RING_PAGE_NODES;
    return (first + turn * step) % RING_PAGE_NODES;
}

static size_t common_divisor(size_t a, size_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Number of pages from link to link, modulo all pages: it reaches every page, and neighbours in the list are far apart
 * (golden section of a circle). */
static size_t step_of(size_t pages) {
    size_t step = pages * 618 / 1000 + 1;
    while (common_divisor(step, pages) != 1)
        step++;
    return step;
}

void ring_link(struct ring_node *nodes, size_t pages, size_t apart) {
    size_t step = step_of(pages), page = 0;
    struct ring_node *first = nodes + node_of_turn(0, 0), *last = first;
    for (size_t link = 1; link < pages * RING_PAGE_NODES; link++) {
        page = (page + step) % pages;
        struct ring_node *node = nodes + page * apart + node_of_turn(page, link / pages);
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
