/* program_ring.c - unit tests of lists in pages: which lines they come to, and in which order.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "patterns/program/ring.h"

enum { PAGES_MOST = 577, LINES = RING_PAGE_LINES };

static const size_t sizes[] = {1, 2, 3, 4, 16, 96, 576, PAGES_MOST};

/* The page of a ring node. */
static size_t page_of(const struct ring_node *nodes, const struct ring_node *node) {
    return (size_t)(node - nodes) / LINES;
}

void *program_allocate(size_t bytes, struct error *error) {
    (void)error;
    void *memory = aligned_alloc(RING_PAGE_BYTES, bytes);
    assert_non_null(memory);
    return memset(memory, 0, bytes);
}

static struct ring_node *make_ring(size_t pages) {
    struct error error;
    struct ring_node *nodes = ring_allocate(pages, &error);
    ring_link(nodes, pages, LINES);
    return nodes;
}

/* After as many links as there are lines, from any node, the chase is at its start and has visited each line once. */
static void comes_to_each_line_once(void **state) {
    (void)state;
    static unsigned char seen[PAGES_MOST * LINES];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t count = sizes[i] * LINES;
        struct ring_node *nodes = make_ring(sizes[i]);
        const struct ring_node *node = nodes;
        memset(seen, 0, sizeof seen);
        for (size_t link = 0; link < count; link++) {
            assert_int_equal(seen[node - nodes]++, 0);
            node = node->next;
        }
        assert_ptr_equal(node, nodes);
        assert_ptr_equal(ring_chase(nodes, count), nodes);
        assert_ptr_equal(ring_chase(nodes, 3 * count + 1), nodes->next);
        free(nodes);
    }
}

/* After as many links as there are pages the chase returns to the same page, and not earlier. */
static void comes_to_all_pages_before_one_again(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ring_node *nodes = make_ring(sizes[i]);
        static size_t last_seen[PAGES_MOST];
        const struct ring_node *node = nodes;
        memset(last_seen, 0, sizeof last_seen);
        for (size_t link = 1; link <= sizes[i] * LINES; link++, node = node->next) {
            size_t page = page_of(nodes, node);
            if (last_seen[page] != 0)
                assert_int_equal(link - last_seen[page], sizes[i]);
            last_seen[page] = link;
        }
        free(nodes);
    }
}

/* The two lines of a pair are half a round apart in both directions. */
static void neighbours_come_half_a_round_later(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ring_node *nodes = make_ring(sizes[i]);
        static size_t turn[PAGES_MOST * LINES];
        const struct ring_node *node = nodes;
        for (size_t link = 0; link < sizes[i] * LINES; link++, node = node->next)
            turn[node - nodes] = link;
        for (size_t line = 0; line < sizes[i] * LINES; line += 2) {
            size_t apart = turn[line] > turn[line + 1] ? turn[line] - turn[line + 1] : turn[line + 1] - turn[line];
            assert_int_equal(apart, sizes[i] * LINES / 2);
        }
        free(nodes);
    }
}

/* With more than a few pages, consecutive pages of the ring are not adjacent in memory. */
static void pages_of_a_step_are_far_apart(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ring_node *nodes = make_ring(sizes[i]);
        for (size_t page = 0; page < sizes[i] && sizes[i] >= 16; page++) {
            size_t next = page_of(nodes, nodes[page * LINES].next);
            size_t forward = (next + sizes[i] - page) % sizes[i];
            assert_in_range(forward, sizes[i] / 4, sizes[i] * 3 / 4);
        }
        free(nodes);
    }
}

/* Pages with gaps are visited in the same order as adjacent ones, and no memory in the gaps. */
static void pages_apart_are_linked_alike(void **state) {
    (void)state;
    enum { PAGES = 96, APART = 3 * LINES };
    struct ring_node *near = make_ring(PAGES), *far = ring_allocate(PAGES * APART / LINES, NULL);
    ring_link(far, PAGES, APART);
    const struct ring_node *a = near, *b = far;
    for (size_t link = 0; link < (size_t)PAGES * LINES; link++, a = a->next, b = b->next) {
        assert_int_equal((b - far) / APART, (a - near) / LINES);
        assert_int_equal((b - far) % APART, (a - near) % LINES);
    }
    assert_ptr_equal(b, far);
    free(near);
    free(far);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_to_each_line_once),
        cmocka_unit_test(comes_to_all_pages_before_one_again),
        cmocka_unit_test(neighbours_come_half_a_round_later),
        cmocka_unit_test(pages_of_a_step_are_far_apart),
        cmocka_unit_test(pages_apart_are_linked_alike),
    };
    return cmocka_run_group_tests_name("lists in pages", tests, NULL, NULL);
}
