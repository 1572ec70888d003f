/* latency_bound.c - a chase along linked lists with a node in each line: one list through all pages, or one a block.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "patterns/program/ring.h"

enum { RANDOM, BLOCKED, SHORT };
enum { PAGES, BLOCK, TIMES }; /* parameters */

static const char *const codes[] = {"random", "blocked", "short", NULL};

struct lists {
    struct ring_node *nodes;
    const struct ring_node *volatile end; /* of the last chase, so that it has a result */
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
    lists->nodes = ring_allocate(pages, error);
    if (lists->nodes == NULL) {
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
        ring_link(lists->nodes + page * RING_PAGE_LINES, pages);
}

/* Every list `times` times, one after the other; each from its first line in memory. Once warmed up, the caches and
 * TLBs hold what a chase leaves there. */
static void chase_all(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    struct lists *lists = point->data;
    size_t nodes = pages_of_list(point) * RING_PAGE_LINES;
    const struct ring_node *end = lists->nodes + point->parameter[PAGES] * RING_PAGE_LINES;
    for (const struct ring_node *node = lists->nodes; node != end; node += nodes)
        lists->end = ring_chase(node, nodes * times);
}

static void release(struct program_point *point) {
    struct lists *lists = point->data;
    program_free(lists->nodes, point->parameter[PAGES] * RING_PAGE_BYTES);
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
    .repeat = chase_all,
    .release = release,
};
