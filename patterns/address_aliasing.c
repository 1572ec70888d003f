/* address_aliasing.c - follows a list and writes the number of each node to a table. The table lies one word further
 * in a page of 4 KiB than the list, or half a page further.
 *
 * The list's nodes are adjacent words. Each holds the number of the next node; the last one holds the number of the
 * first. With the table one word further, the store of a node has the same offset in its page as the node that is
 * loaded next. Both the load and the store wait for the number of the node. So when the load begins, the store's
 * address is known and the store is still in flight.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "patterns/program/program.h"

enum { ALIASED, APART };
enum { PAGES, TIMES }; /* parameters */
enum { PAGE_BYTES = 4096, NODES = PAGE_BYTES / sizeof(size_t) };

static const char *const codes[] = {"aliased", "apart", NULL};

struct list {
    char *memory; /* list, table, and two pages for the table's shift and for alignment */
    size_t bytes;
    size_t *nodes, *table;
};

static int setup(struct program_point *point, struct error *error) {
    struct list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return error_set(error, "no memory for a list; free some");
    size_t pages = point->parameter[PAGES], nodes = pages * NODES;
    list->bytes = (2 * pages + 2) * PAGE_BYTES;
    list->memory = program_allocate(list->bytes, error);
    if (list->memory == NULL) {
        free(list);
        return -1;
    }
    list->nodes = (size_t *)(void *)list->memory;
    list->table = list->nodes + nodes + (point->code == ALIASED ? 1 : NODES / 2);
    for (size_t node = 0; node < nodes; node++)
        list->nodes[node] = (node + 1) % nodes;
    point->data = list;
    return 0;
}

/* One loop, one pass per node. The instructions are counted in the machine code (validate/kernel/function.h). */
__attribute__((noinline)) static void follow(const size_t *nodes, volatile size_t *table, size_t steps) {
    size_t node = 0;
    do {
        size_t next = nodes[node];
        table[node] = next;
        node = next;
        __asm__("" : "+r"(steps)); /* keeps the compiler from unrolling the loop */
    } while (--steps != 0);
}

static void go(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    const struct list *list = point->data;
    follow(list->nodes, list->table, point->parameter[PAGES] * NODES * times);
}

static void release(struct program_point *point) {
    struct list *list = point->data;
    program_free(list->memory, list->bytes);
    free(list);
}

const struct pattern_program pattern_program = {
    .usage = "Follows a list of PAGES of 4 KiB TIMES times, writing a table: REGION aliased|apart PAGES TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = 1,
    .setup = setup,
    .repeat = go,
    .release = release,
};
