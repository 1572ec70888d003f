/* program_ring.c - unit tests of lists in pages: which nodes they visit, and in which order.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "patterns/program/ring.h"

enum { PAGES_MOST = 577, NODES = RING_PAGE_NODES };

static const size_t sizes[] = {1, 2, 3, 4, 16, 96, 576, PAGES_MOST};

/* The page of a ring node. */
static size_t page_of(const struct ring_node *nodes, const struct ring_node *node) {
    return (size_t)(node - nodes) / NODES;
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
    ring_link(nodes, pages, NODES);
    return nodes;
}

/* After as many links as there are nodes, from any node, the chase is at its start and has visited each node once. */
TEST(comes_to_each_node_once) {
    static unsigned char seen[PAGES_MOST * NODES];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t count = sizes[i] * NODES;
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
TEST(comes_to_all_pages_before_one_again) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ring_node *nodes = make_ring(sizes[i]);
        static size_t last_seen[PAGES_MOST];
        const struct ring_node *node = nodes;
        memset(last_seen, 0, sizeof last_seen);
        for (size_t link = 1; link <= sizes[i] * NODES; link++, node = node->next) {
            size_t page = page_of(nodes, node);
            if (last_seen[page] != 0)
                assert_int_equal(link - last_seen[page], sizes[i]);
            last_seen[page] = link;
        }
        free(nodes);
    }
}

/* What an adjacent-line prefetcher fetches, the other line of an aligned pair, is never visited. */
TEST(neighbours_are_never_visited) {
    enum { PAGES = 16, PAIR = 2 * PROGRAM_LINE_BYTES };
    struct ring_node *nodes = make_ring(PAGES);
    const struct ring_node *node = nodes;
    for (size_t link = 0; link < PAGES * NODES; link++, node = node->next)
        assert_int_equal((uintptr_t)node % PAIR, 0);
    assert_int_equal(NODES * PAIR, RING_PAGE_BYTES);
    free(nodes);
}

/* Distance from visit to visit of a page, `apart` turns later, cyclic. */
static int distance(size_t turn, size_t apart) {
    return (int)ring_node_of_turn((turn + apart) % NODES) - (int)ring_node_of_turn(turn);
}

/* No prefetcher finds a stream or a stride in the visits of a page: none is near the three before it, and no distance
 * comes twice in a row, also from every fourth visit to the next fourth. */
TEST(visits_of_a_page_follow_no_pattern) {
    for (size_t turn = 0; turn < NODES; turn++) {
        for (size_t apart = 1; apart <= 3; apart++)
            assert_true(abs(distance(turn, apart)) >= 2);
        assert_int_not_equal(distance(turn, 1), distance((turn + 1) % NODES, 1));
        assert_int_not_equal(distance(turn, 4), distance((turn + 4) % NODES, 4));
    }
}

/* With more than a few pages, consecutive pages of the ring are not adjacent in memory. */
TEST(pages_of_a_step_are_far_apart) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ring_node *nodes = make_ring(sizes[i]);
        for (size_t page = 0; page < sizes[i] && sizes[i] >= 16; page++) {
            size_t next = page_of(nodes, nodes[page * NODES].next);
            size_t forward = (next + sizes[i] - page) % sizes[i];
            assert_in_range(forward, sizes[i] / 4, sizes[i] * 3 / 4);
        }
        free(nodes);
    }
}

/* Pages with gaps are visited in the same order as adjacent ones, and no memory in the gaps. */
TEST(pages_apart_are_linked_alike) {
    enum { PAGES = 96, APART = 3 * NODES };
    struct ring_node *near = make_ring(PAGES), *far = ring_allocate(PAGES * APART / NODES, NULL);
    ring_link(far, PAGES, APART);
    const struct ring_node *a = near, *b = far;
    for (size_t link = 0; link < (size_t)PAGES * NODES; link++, a = a->next, b = b->next) {
        assert_int_equal((b - far) / APART, (a - near) / NODES);
        assert_int_equal((b - far) % APART, (a - near) % NODES);
    }
    assert_ptr_equal(b, far);
    free(near);
    free(far);
}
