/* latency_bound.c - a chase along linked lists with a node in each pair of lines: one list through all pages, or one
 * list per block of pages. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <sys/mman.h>

#include "patterns/program/pages.h"
#include "patterns/program/ring.h"

enum { RANDOM, BLOCKED, SHORT, LARGE, LARGE_APART };
enum { PAGES, BLOCK, TIMES }; /* parameters */

static const char *const codes[] = {"random", "blocked", "short", "large", "large_apart", NULL};

struct lists {
    size_t bytes;
    size_t apart; /* nodes from page to page */
    struct ring_node *nodes;
    const struct ring_node *volatile end; /* of the last chase, so that it has a result */
};

/* A block fits into a cache as a whole. There may be just one block. */
static size_t pages_of_list(const struct program_point *point) {
    return point->code == BLOCKED || point->code == SHORT ? point->parameter[BLOCK] : point->parameter[PAGES];
}

static int allocate_small(struct lists *lists, size_t pages, struct error *error) {
    lists->apart = RING_PAGE_NODES;
    lists->bytes = pages * RING_PAGE_BYTES;
    lists->nodes = ring_allocate(pages, error);
    return lists->nodes != NULL ? 0 : -1;
}

/* In `large_apart` each large page holds one small page of the list, one place further than in the large page before,
 * so that all cache sets are used. */
static int allocate_large(struct lists *lists, size_t code, size_t pages, struct error *error) {
    size_t apart = code == LARGE_APART ? LARGE_PAGE_BYTES + RING_PAGE_BYTES : RING_PAGE_BYTES;
    lists->apart = apart / sizeof *lists->nodes;
    lists->bytes = (pages * apart + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    lists->nodes = program_allocate(lists->bytes, error);
    if (lists->nodes == NULL)
        return -1;
    if (madvise(lists->nodes, lists->bytes, MADV_HUGEPAGE) == 0)
        return 0;
    program_free(lists->nodes, lists->bytes);
    return error_set(error, "no large pages; take a kernel with transparent huge pages");
}

static int setup(struct program_point *point, struct error *error) {
    size_t pages = point->parameter[PAGES];
    if (pages % pages_of_list(point) != 0)
        return error_set(error, "%s: %zu pages in blocks of %zu; give a multiple", point->region, pages,
                         pages_of_list(point));
    struct lists *lists = calloc(1, sizeof *lists);
    if (lists == NULL)
        return error_set(error, "no memory for lists; free some");
    if (point->code < LARGE ? allocate_small(lists, pages, error) != 0
                            : allocate_large(lists, point->code, pages, error) != 0) {
        free(lists);
        return -1;
    }
    point->data = lists;
    return 0;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct lists *lists = point->data;
    size_t pages = pages_of_list(point);
    (void)thread;
    for (size_t page = 0; page < point->parameter[PAGES]; page += pages)
        ring_link(lists->nodes + page * lists->apart, pages, lists->apart);
}

/* Follows every list `times` times, one list after the other, from its first line in memory. After the warm-up caches
 * and TLBs are in the state in which a chase leaves them. */
static void chase_all(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    struct lists *lists = point->data;
    size_t links = pages_of_list(point) * RING_PAGE_NODES * times, nodes = pages_of_list(point) * lists->apart;
    const struct ring_node *end = lists->nodes + point->parameter[PAGES] * lists->apart;
    for (const struct ring_node *node = lists->nodes; node != end; node += nodes)
        lists->end = ring_chase(node, links);
}

static void release(struct program_point *point) {
    struct lists *lists = point->data;
    program_free(lists->nodes, lists->bytes);
    free(lists);
}

const struct pattern_program pattern_program = {
    .usage =
        "A chase along a list through PAGES pages, or along one through each BLOCK of them, each TIMES times; the\n"
        "pages are parts of large ones, or each in one of its own (apart):\n"
        "REGION random|blocked|short|large|large_apart PAGES BLOCK TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = chase_all,
    .release = release,
};
