/* sim_l3.c - unit tests of the L3's arrays: slice, set and tag of a line, recency, empty ways first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/l3.h"

enum { SETS = 512 };

static struct l3 make(uint32_t slices, uint32_t ways) {
    struct l3 l3;
    void *sets = calloc(1, l3_bytes(slices, SETS));
    assert_non_null(sets);
    l3_init(&l3, sets, slices, SETS, ways);
    return l3;
}

static void enter(const struct l3 *l3, uint64_t line) {
    struct l3_place place = l3_find(l3, line);
    assert_true(place.way < 0);
    place.way = l3_victim(&place);
    l3_fill(&place, LINE_E, 0, 0);
}

/* Three slices, so that neither slice nor set is a bit field of the address. */
TEST(line_of_a_place_is_the_line) {
    struct l3 l3 = make(3, 20);
    const uint64_t lines[] = {0, 1, 2, 3, 511 * 3, 512 * 3 + 1, UINT64_C(123456789012), (UINT64_C(1) << 41) - 1};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        enter(&l3, lines[i]);
        struct l3_place place = l3_find(&l3, lines[i]);
        assert_true(place.way >= 0);
        assert_int_equal(place.set->slice, lines[i] % 3);
        assert_int_equal(l3_line(&l3, &place), lines[i]);
    }
    free(l3.sets);
}

/* Lines at this distance share a set. 20 fill it; line 0 is used again, so line 1 is the next victim. */
TEST(least_recent_goes_first) {
    struct l3 l3 = make(1, 20);
    for (uint64_t i = 0; i < 20; i++)
        enter(&l3, i * SETS);
    struct l3_place first = l3_find(&l3, 0);
    l3_touch(&first);
    for (uint64_t i = 1; i < 20; i++) {
        struct l3_place place = l3_find(&l3, (100 + i) * SETS);
        place.way = l3_victim(&place);
        assert_int_equal(l3_line(&l3, &place), i * SETS);
        l3_fill(&place, LINE_E, 0, 0);
    }
    assert_true(l3_find(&l3, 0).way >= 0);
    assert_true(l3_find(&l3, SETS).way < 0);
    free(l3.sets);
}

TEST(removed_way_is_taken_first) {
    struct l3 l3 = make(1, 4);
    for (uint64_t i = 0; i < 4; i++)
        enter(&l3, i * SETS);
    struct l3_place third = l3_find(&l3, 2 * SETS);
    l3_remove(&third);
    assert_true(l3_find(&l3, 2 * SETS).way < 0);
    assert_int_equal(l3_victim(&third), third.way);
    enter(&l3, 7 * SETS);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(l3_find(&l3, i * SETS).way < 0, i == 2);
    free(l3.sets);
}
