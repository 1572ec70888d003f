/* latency_bound.c - a chase along linked lists with a node in each line: one list through all pages, or one a block.
 *
 * A list is a ring. It goes through all its pages, in an order of chance, to one line of each, and does so once for
 * every line of a page, in the same order of pages. So each link leads to another page, and no line and no page is seen
 * again before all others of the ring were: caches and TLBs that the ring does not fit into have none of it, those that
 * it fits into have all, whatever the order is. Whole pages fill all sets of caches alike. A line's neighbour, which
 * prefetchers may bring along, comes half a round later.
 *
 * Pages are small ones: with large ones translation would not depend on how many there are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "patterns/program/program.h"

enum { RANDOM, BLOCKED, SHORT };
enum { PAGES, BLOCK, TIMES }; /* parameters */
enum { PAGE_LINES = 4096 / PROGRAM_LINE_BYTES };

static const char *const codes[] = {"random", "blocked", "short", NULL};

struct node {
    const struct node *next;
    char rest[PROGRAM_LINE_BYTES - sizeof(const struct node *)];
};

struct lists {
    struct node *nodes;
    size_t bytes;
    uint32_t *order;                 /* of a list's pages */
    const struct node *volatile end; /* of the last chase, so that it has a result */
};

/* What fits into a cache as a whole is a block, of which there may be one. */
static size_t pages_of_list(const struct program_point *point) {
    return point->code == RANDOM ? point->parameter[PAGES] : point->parameter[BLOCK];
}

static int setup(struct program_point *point, struct error *error) {
    size_t pages = point->parameter[PAGES];
    if (pages % pages_of_list(point) != 0)
        return error_set(error, "%s: %zu pages in blocks of %zu; give a multiple", point->region, pages,
                         pages_of_list(point));
    struct lists *lists = calloc(1, sizeof *lists);
    if (lists == NULL)
        return error_set(error, "no memory for lists; free some");
    lists->bytes = pages * PAGE_LINES * sizeof *lists->nodes;
    lists->order = calloc(pages_of_list(point), sizeof *lists->order);
    lists->nodes = lists->order != NULL ? program_allocate(lists->bytes, error) : NULL;
    if (lists->nodes == NULL) {
        int result = lists->order != NULL ? -1 : error_set(error, "no memory for an order of pages; free some");
        free(lists->order);
        free(lists);
        return result;
    }
    madvise(lists->nodes, lists->bytes, MADV_NOHUGEPAGE); /* refused by a system that has no large pages: as well */
    point->data = lists;
    return 0;
}

/* The same bits for the same number, and no order in them. */
static uint64_t mix(uint64_t number) {
    number = (number + 1) * UINT64_C(6364136223846793005);
    number = (number ^ number >> 32) * UINT64_C(6364136223846793005);
    return number >> 32;
}

/* Which of a page's lines is visited at a turn: each once, even and odd ones half the turns apart. */
static size_t line_of_turn(size_t page, size_t turn) {
    enum { PAIRS = PAGE_LINES / 2 };
    uint64_t chance = mix(page);
    size_t step = chance % PAIRS | 1, first = chance / PAIRS, odd = (turn / PAIRS + (chance >> 20)) % 2;
    return 2 * ((first + turn * step) % PAIRS) + odd;
}

/* 0 .. count - 1 in an order of chance: each place changes with one before it. */
static void shuffle(uint32_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t place = mix(i) % (i + 1);
        order[i] = order[place];
        order[place] = (uint32_t)i;
    }
}

/* Links the pages' lines, the last to the first. */
static void link_ring(struct node *nodes, const uint32_t *order, size_t pages) {
    struct node *first = nodes + order[0] * PAGE_LINES + line_of_turn(order[0], 0), *last = first;
    for (size_t link = 1; link < pages * PAGE_LINES; link++) {
        uint32_t page = order[link % pages];
        struct node *node = nodes + page * PAGE_LINES + line_of_turn(page, link / pages);
        last->next = node;
        last = node;
    }
    last->next = first;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct lists *lists = point->data;
    size_t pages = pages_of_list(point);
    (void)thread;
    shuffle(lists->order, pages);
    for (size_t page = 0; page < point->parameter[PAGES]; page += pages)
        link_ring(lists->nodes + page * PAGE_LINES, lists->order, pages);
}

/* assay counts it from its machine code (validate/kernel/function.h): one loop, a pass of which is a link. */
__attribute__((noinline)) static const struct node *chase(const struct node *node, size_t links) {
    do
        node = node->next;
    while (--links != 0);
    return node;
}

/* Every list `times` times, one after the other; each from its first line in memory. */
static void chase_all(const struct program_point *point, size_t times) {
    struct lists *lists = point->data;
    size_t nodes = pages_of_list(point) * PAGE_LINES;
    const struct node *end = lists->nodes + point->parameter[PAGES] * PAGE_LINES;
    for (const struct node *node = lists->nodes; node != end; node += nodes)
        lists->end = chase(node, nodes * times);
}

/* The caches and TLBs then hold what a chase leaves there. */
static void warm_up(const struct program_point *point, size_t thread) {
    (void)thread;
    chase_all(point, 1);
}

static void work(const struct program_point *point, size_t thread) {
    (void)thread;
    chase_all(point, point->parameter[TIMES]);
}

static void release(struct program_point *point) {
    struct lists *lists = point->data;
    program_free(lists->nodes, lists->bytes);
    free(lists->order);
    free(lists);
}

const struct pattern_program pattern_program = {
    .usage = "A chase along a list through PAGES pages, or along one through each BLOCK of them, each TIMES times:\n"
             "REGION random|blocked|short PAGES BLOCK TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
