/* sim_cache.c - unit tests of the set-associative array: exact LRU, empty ways first, states.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/cache.h"

enum { SETS = 2, WAYS = 4, ROOM = SETS * CACHE_GROUP };

TEST(hits_and_misses) {
    _Alignas(16) uint64_t words[ROOM] = {0};
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    assert_null(cache_touch(&cache, 0)); /* an empty way is not key 0 */
    assert_int_equal(cache_insert(&cache, 0, PRIVATE_S), 0);
    assert_non_null(cache_touch(&cache, 0));
    assert_null(cache_touch(&cache, 2)); /* same set, other key */
    assert_null(cache_touch(&cache, 1)); /* other set */
}

/* Keys 0 2 4 6 fill set 0; touching 0 makes 2 the oldest, then 4, 6, 0. */
TEST(least_recent_goes_first) {
    _Alignas(16) uint64_t words[ROOM] = {0};
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

/* In the first and in the second group of a set's words. The highest bits of a key are not compared. */
TEST(no_present_key_is_said_to_be_absent) {
    for (uint32_t ways = 2; ways <= 2 * CACHE_GROUP; ways++) {
        _Alignas(16) uint64_t words[2 * CACHE_GROUP] = {0};
        struct cache cache;
        cache_init(&cache, words, 1, ways);
        for (uint64_t key = 1; key <= ways; key++) {
            assert_false(cache_may_have(&cache, key));
            cache_insert(&cache, key, key % 2 ? PRIVATE_M : PRIVATE_S);
        }
        for (uint64_t key = 1; key <= ways; key++) {
            assert_true(cache_may_have(&cache, key));
            assert_true(cache_may_have(&cache, key | UINT64_C(1) << 40));
            assert_null(cache_peek(&cache, key | UINT64_C(1) << 40));
        }
        assert_false(cache_may_have(&cache, ways + 1));
    }
}

TEST(peek_does_not_renew) {
    _Alignas(16) uint64_t words[ROOM] = {0};
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    for (uint64_t key = 0; key < 8; key += 2)
        cache_insert(&cache, key, PRIVATE_S);
    assert_int_equal(*cache_peek(&cache, 0), cache_word(0, PRIVATE_S));
    assert_int_equal(cache_insert(&cache, 8, PRIVATE_S), cache_word(0, PRIVATE_S));
}

/* A removed key leaves room: the next insert displaces no key, and the order of the others is unchanged. */
TEST(removed_way_is_taken_first) {
    _Alignas(16) uint64_t words[ROOM] = {0};
    struct cache cache;
    cache_init(&cache, words, SETS, WAYS);
    for (uint64_t key = 1; key < 9; key += 2)
        cache_insert(&cache, key, PRIVATE_M);
    assert_int_equal(cache_remove(&cache, 5), PRIVATE_M);
    assert_int_equal(cache_remove(&cache, 5), PRIVATE_I);
    assert_int_equal(cache_insert(&cache, 11, PRIVATE_E), 0);
    assert_int_equal(cache_insert(&cache, 13, PRIVATE_E), cache_word(1, PRIVATE_M));
}

/* The cache is empty; the words after it are unchanged. */
TEST(clears_its_own_words_only) {
    _Alignas(16) uint64_t words[ROOM + 1] = {0};
    struct cache cache;
    words[ROOM] = 7;
    cache_init(&cache, words, SETS, WAYS);
    for (uint64_t key = 0; key < (uint64_t)SETS * WAYS; key++)
        cache_insert(&cache, key, PRIVATE_M);
    cache_clear(&cache);
    for (uint64_t key = 0; key < (uint64_t)SETS * WAYS; key++)
        assert_null(cache_peek(&cache, key));
    for (size_t i = 0; i < ROOM; i++)
        assert_int_equal(words[i], 0);
    assert_int_equal(words[ROOM], 7);
}

enum { MODEL_WAYS_MAX = 20 };

/* The same set as a list: present keys, most recent first. */
struct model {
    uint64_t key[MODEL_WAYS_MAX];
    uint32_t length, ways;
};

static uint32_t find_in_model(const struct model *model, uint64_t key) {
    uint32_t at = 0;
    while (at < model->length && model->key[at] != key)
        at++;
    return at;
}

static void take_from_model(struct model *model, uint32_t at) {
    model->length--;
    memmove(model->key + at, model->key + at + 1, (model->length - at) * sizeof model->key[0]);
}

static void put_in_front(struct model *model, uint64_t key) {
    memmove(model->key + 1, model->key, model->length * sizeof model->key[0]);
    model->key[0] = key;
    model->length++;
}

/* Any sequence of operations on a set has the same effect as on a list, for any number of ways. */
TEST(behaves_like_a_list) {
    static const uint32_t all_ways[] = {1, 2, 3, 4, 7, 8, 9, 12, 16, MODEL_WAYS_MAX};
    for (size_t i = 0; i < sizeof all_ways / sizeof all_ways[0]; i++) {
        _Alignas(16) uint64_t words[3 * CACHE_GROUP] = {0};
        struct model model = {.ways = all_ways[i]};
        struct cache cache;
        uint64_t random = 1;
        assert_true(cache_bytes(1, model.ways) <= sizeof words);
        cache_init(&cache, words, 1, model.ways);
        for (int step = 0; step < 20000; step++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            /* keys that differ in their upper or lower half only */
            uint64_t key = (random >> 33) % (model.ways + 3), operation = random >> 60;
            key = key % 2 ? key : key << 40;
            uint32_t at = find_in_model(&model, key);
            if (operation == 0) {
                assert_int_equal(cache_remove(&cache, key), at < model.length ? PRIVATE_E : PRIVATE_I);
                if (at < model.length)
                    take_from_model(&model, at);
            } else if (at < model.length) {
                uint64_t *word = operation == 1 ? cache_peek(&cache, key) : cache_touch(&cache, key);
                assert_non_null(word);
                assert_int_equal(*word, cache_word(key, PRIVATE_E));
                if (operation > 1) {
                    take_from_model(&model, at);
                    put_in_front(&model, key);
                }
            } else {
                assert_null(cache_touch(&cache, key));
                uint64_t victim = 0;
                if (model.length == model.ways)
                    victim = cache_word(model.key[--model.length], PRIVATE_E);
                assert_int_equal(cache_insert(&cache, key, PRIVATE_E), victim);
                put_in_front(&model, key);
            }
        }
    }
}
