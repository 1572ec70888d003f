/* sim_home.c - unit tests of the table of pages' NUMA domains: placement, moves, unmapped pages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/home.h"

static void open_table(struct home_table *homes) {
    uint64_t *groups = calloc(1, home_bytes(2));
    assert_non_null(groups);
    home_init(homes, groups, 2, 2);
}

/* Odd pages are not placed in the domain of the core that touches them. */
static uint32_t decide(void *asked, uint64_t page, uint32_t toucher) {
    ++*(int *)asked;
    return page % 2 ? 1 - toucher : toucher;
}

TEST(decided_once) {
    struct home_table homes;
    int asked = 0;
    open_table(&homes);
    homes.decide = decide;
    homes.context = &asked;
    assert_int_equal(home_known(&homes, 5), -1);
    assert_int_equal(home_of(&homes, 5, 0), 1);
    assert_int_equal(home_of(&homes, 5, 1), 1); /* its home is fixed now */
    assert_int_equal(home_of(&homes, 4, 0), 0);
    assert_int_equal(asked, 2);
    assert_int_equal(home_known(&homes, 5), 1);
    free(homes.groups);
}

TEST(set_and_moved) {
    const uint32_t swap[] = {1, 0};
    struct home_table homes;
    open_table(&homes);
    home_of(&homes, 8, 0);
    home_of(&homes, 9, 0);
    home_set(&homes, 9, 1);
    home_set(&homes, 1000, 1); /* never touched */
    home_move(&homes, swap);
    assert_int_equal(home_known(&homes, 8), 1);
    assert_int_equal(home_known(&homes, 9), 0);
    assert_int_equal(home_known(&homes, 1000), 0);
    assert_int_equal(home_known(&homes, 10), -1);
    free(homes.groups);
}

/* Neighbours in a group do not disturb each other. */
TEST(last_memory) {
    uint64_t *groups = calloc(1, home_bytes(SIM_MEMORIES_MAX));
    struct home_table homes;
    assert_non_null(groups);
    home_init(&homes, groups, SIM_NUMA_MAX, SIM_MEMORIES_MAX);
    for (uint64_t page = 0; page < 2 * HOME_GROUP_PAGES; page += 2)
        home_set(&homes, page, SIM_MEMORIES_MAX - 1);
    for (uint64_t page = 0; page < 2 * HOME_GROUP_PAGES; page++)
        assert_int_equal(home_known(&homes, page), page % 2 ? -1 : SIM_MEMORIES_MAX - 1);
    free(groups);
}

static void hear(void *context, uint64_t page) {
    *(uint64_t *)context += page;
}

/* Page by page and over the whole table have the same effect. */
TEST(forgotten) {
    const uint64_t counts[] = {10, (uint64_t)HOME_GROUPS + 1};
    for (int i = 0; i < 2; i++) {
        struct home_table homes;
        open_table(&homes);
        home_of(&homes, 99, 1);
        home_of(&homes, 100, 1);
        home_of(&homes, 100 + counts[i] - 1, 1);
        home_of(&homes, 100 + counts[i], 1);
        uint64_t heard = 0;
        home_forget(&homes, 100, counts[i], hear, &heard);
        assert_int_equal(heard, 100 + 100 + counts[i] - 1); /* the two with a home */
        assert_int_equal(home_known(&homes, 99), 1);
        assert_int_equal(home_known(&homes, 100), -1);
        assert_int_equal(home_known(&homes, 100 + counts[i] - 1), -1);
        assert_int_equal(home_known(&homes, 100 + counts[i]), 1);
        free(homes.groups);
    }
}
