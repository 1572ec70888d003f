/* sim_cache.c - unit tests of the set-associative array: exact LRU, empty ways first, states.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"

#include "vnode/sim/cache.h"

enum { SETS = 2, WAYS = 4 };

static void hits_and_misses(void **state) {
    (void)state;
    uint64_t words[SETS * WAYS] = {0}; /* WAYS is a whole group: no padding */
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    assert_null(cache_touch(&cache, 0)); /* an empty way is not key 0 */
    assert_int_equal(cache_insert(&cache, 0, PRIVATE_S), 0);
    assert_non_null(cache_touch(&cache, 0));
    assert_null(cache_touch(&cache, 2)); /* same set, other key */
    assert_null(cache_touch(&cache, 1)); /* other set */
}

/* Keys 0 2 4 6 fill set 0; touching 0 makes 2 the oldest, then 4, 6, 0. */
static void least_recent_goes_first(void **state) {
    (void)state;
    uint64_t words[SETS * WAYS] = {0}; /* WAYS is a whole group: no padding */
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    for (uint64_t key = 0; key < 8; key += 2)
        assert_int_equal(cache_insert(&cache, key, PRIVATE_E), 0);
    assert_non_null(cache_touch(&cache, 0));
    const uint64_t order[] = {2, 4, 6, 0};
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(cache_insert(&cache, 100 + 2 * i, PRIVATE_M), cache_word(order[i], PRIVATE_E));
    assert_int_equal(cache_insert(&cache, 8, PRIVATE_S), cache_word(100, PRIVATE_M));
}

static void peek_does_not_renew(void **state) {
    (void)state;
    uint64_t words[SETS * WAYS] = {0}; /* WAYS is a whole group: no padding */
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    for (uint64_t key = 0; key < 8; key += 2)
        cache_insert(&cache, key, PRIVATE_S);
    assert_int_equal(*cache_peek(&cache, 0), cache_word(0, PRIVATE_S));
    assert_int_equal(cache_insert(&cache, 8, PRIVATE_S), cache_word(0, PRIVATE_S));
}

/* A removed key leaves room: the next insert displaces nobody and the order of the others stays. */
static void removed_way_is_taken_first(void **state) {
    (void)state;
    uint64_t words[SETS * WAYS] = {0}; /* WAYS is a whole group: no padding */
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    for (uint64_t key = 1; key < 9; key += 2)
        cache_insert(&cache, key, PRIVATE_M);
    assert_int_equal(cache_remove(&cache, 5), PRIVATE_M);
    assert_int_equal(cache_remove(&cache, 5), PRIVATE_I);
    assert_int_equal(cache_insert(&cache, 11, PRIVATE_E), 0);
    assert_int_equal(cache_insert(&cache, 13, PRIVATE_E), cache_word(1, PRIVATE_M));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_and_misses),
        cmocka_unit_test(least_recent_goes_first),
        cmocka_unit_test(peek_does_not_renew),
        cmocka_unit_test(removed_way_is_taken_first),
    };
    return cmocka_run_group_tests_name("sim cache", tests, NULL, NULL);
}
