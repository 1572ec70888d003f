/* sim_near.c - unit tests of first-level arrays: exact LRU by time stamps, empty ways first, states, and what is
 * beside.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"
#include "xorshift.h"

#include "vnode/sim/near.h"

enum { MODEL_WAYS_MAX = 64, MODEL_SETS = 4, STEPS = 30000 };

/* A set as a list: its words, most recent first. */
struct model {
    uint64_t word[MODEL_WAYS_MAX];
    uint32_t length;
};

static uint32_t find_in_model(const struct model *model, uint64_t key) {
    uint32_t at = 0;
    while (at < model->length && !cache_matches(model->word[at], key))
        at++;
    return at;
}

static void take_from_model(struct model *model, uint32_t at) {
    model->length--;
    memmove(model->word + at, model->word + at + 1, (model->length - at) * sizeof model->word[0]);
}

static void put_in_front(struct model *model, uint64_t word) {
    memmove(model->word + 1, model->word, model->length * sizeof model->word[0]);
    model->word[0] = word;
    model->length++;
}

/* Free the memory, which begins with the guesses, with free_near(). */
static struct near make(uint64_t sets, uint32_t ways, uint32_t row) {
    size_t bytes = (near_bytes(sets, row) + 63) / 64 * 64;
    struct near near;
    void *memory = aligned_alloc(64, bytes);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    near_init(&near, memory, sets, ways, row);
    return near;
}

static void free_near(struct near *near) {
    free(near_guesses(near));
}

#define NEAR __attribute__((cleanup(free_near))) struct near

/* Another key of the same set and hash. */
static uint64_t of_the_same_hash(const struct near *near, uint64_t key) {
    uint64_t other = key + near->set_mask + 1;
    while (near_hash(other) != near_hash(key))
        other += near->set_mask + 1;
    return other;
}

static void insert(const struct near *near, struct model *model, uint32_t ways, uint64_t key, uint64_t stamp) {
    uint64_t expected = 0;
    if (model->length == ways)
        expected = model->word[--model->length];
    enum private_state state = (enum private_state)(1 + stamp % 3);
    assert_int_equal(near_insert(near, key, state, stamp), expected);
    assert_int_equal(*near_guessed(near, key), cache_word(key, state));
    put_in_front(model, cache_word(key, state));
}

static void step(const struct near *near, struct model *model, uint64_t key, uint64_t operation, uint64_t stamp) {
    uint32_t at = find_in_model(model, key);
    int present = at < model->length;
    assert_int_equal(near_lacks(near, key), !present);
    if (operation == 0) {
        assert_int_equal(near_remove(near, key), present ? cache_state(model->word[at]) : PRIVATE_I);
        assert_null(near_peek(near, key));
        if (present)
            take_from_model(model, at);
        return;
    }
    uint64_t *word = operation < 3 ? near_peek(near, key) : near_touch(near, key, stamp);
    assert_int_equal(word != NULL, present);
    if (!present) {
        if (operation > 3)
            insert(near, model, near->ways, key, stamp);
        return;
    }
    assert_int_equal(*word, model->word[at]);
    assert_ptr_equal(near_guessed(near, key), word);
    if (operation >= 3) {
        uint64_t touched = model->word[at];
        take_from_model(model, at);
        put_in_front(model, touched);
    }
}

/* Any sequence of operations has the same effect as on a list, for any number of ways, also in a longer row. Half of
 * the keys have the hash of another one. */
TEST(behaves_like_a_list) {
    static const struct {
        uint32_t ways, row;
    } cases[] = {{1, 8}, {2, 8}, {4, 8}, {4, 64}, {8, 8}, {12, 16}, {MODEL_WAYS_MAX, MODEL_WAYS_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NEAR near = make(MODEL_SETS, cases[i].ways, cases[i].row);
        struct model models[MODEL_SETS] = {0};
        uint64_t random = 88172645463325252, apart = of_the_same_hash(&near, 0);
        for (uint64_t stamp = 1; stamp <= STEPS; stamp++) {
            uint64_t set = (next_random(&random) >> 40) % MODEL_SETS;
            uint64_t which = (next_random(&random) >> 40) % (cases[i].ways + 3), operation = next_random(&random) >> 60;
            uint64_t key = set + which / 2 * MODEL_SETS + which % 2 * apart;
            step(&near, &models[set], key, operation, stamp);
        }
    }
}

/* Two keys that share a hash are both found, however often the guess is the other one's place. */
TEST(keys_of_one_hash) {
    NEAR near = make(MODEL_SETS, 8, 8);
    uint64_t other = of_the_same_hash(&near, 0);
    assert_null(near_peek(&near, 0)); /* an empty way is not key 0 */
    near_insert(&near, 0, PRIVATE_E, 1);
    assert_null(near_peek(&near, other));
    near_insert(&near, other, PRIVATE_M, 2);
    assert_int_equal(near_guesses(&near)->keys[near_hash(0)], 2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(*near_peek(&near, 0), cache_word(0, PRIVATE_E));
        assert_int_equal(*near_peek(&near, other), cache_word(other, PRIVATE_M));
    }
    assert_int_equal(near_remove(&near, 0), PRIVATE_E);
    assert_int_equal(near_remove(&near, 0), PRIVATE_I);
    assert_int_equal(near_guesses(&near)->keys[near_hash(0)], 1);
    assert_int_equal(*near_peek(&near, other), cache_word(other, PRIVATE_M));
}

/* Keys that leave, displaced or removed, leave no trace in the number of keys of their hash. */
TEST(counts_keys) {
    NEAR near = make(1, 4, 8);
    for (uint64_t key = 0; key < 6; key++)
        near_insert(&near, key, PRIVATE_S, 1 + key);
    near_remove(&near, 5);
    for (uint64_t key = 0; key < 6; key++)
        assert_int_equal(near_guesses(&near)->keys[near_hash(key)], key >= 2 && key < 5);
    near_clear(&near);
    for (uint64_t key = 0; key < 6; key++) {
        assert_int_equal(near_guesses(&near)->keys[near_hash(key)], 0);
        assert_null(near_peek(&near, key));
    }
}

/* The same stamp for the same key, and a removed way, which is the first to be taken. */
TEST(removed_way_is_taken_first) {
    NEAR near = make(2, 4, 8);
    for (uint64_t key = 1; key < 9; key += 2)
        near_insert(&near, key, PRIVATE_M, key);
    assert_non_null(near_touch(&near, 7, 7));
    assert_int_equal(near_remove(&near, 5), PRIVATE_M);
    assert_int_equal(near_insert(&near, 11, PRIVATE_E, 11), 0);
    assert_int_equal(near_insert(&near, 13, PRIVATE_E, 13), cache_word(1, PRIVATE_M));
}
